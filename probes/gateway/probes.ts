import { type Probe } from '../probe';
import { authorizerContext } from './authorizer-context';
import { challengeHeader } from './challenge-header';
import { documentationParts } from './documentation-parts';
import { executionLogs } from './execution-logs';
import { failedFunctions } from './failed-functions';
import { idleConnection } from './idle-connection';
import { jsonFilterPattern } from './json-filter-pattern';
import { limitsBeforeAuthorizer } from './limits-before-authorizer';
import { pathAsSent } from './path-as-sent';
import { pathParameters } from './path-parameters';
import { privateIam } from './private-iam';
import { privateStrictTls } from './private-strict-tls';
import { refusedBeforeQuota } from './refused-before-quota';
import { throttledAndQuota } from './throttled-and-quota';
import { unbilledRefusals } from './unbilled-refusals';
import { undefinedRoute } from './undefined-route';
import { webAclFirst } from './web-acl-first';
import { webAclReplaced } from './web-acl-replaced';

export const GATEWAY_PROBES: readonly Probe[] = [
  failedFunctions,
  undefinedRoute,
  challengeHeader,
  pathAsSent,
  pathParameters,
  authorizerContext,
  refusedBeforeQuota,
  throttledAndQuota,
  executionLogs,
  jsonFilterPattern,
  limitsBeforeAuthorizer,
  webAclFirst,
  webAclReplaced,
  documentationParts,
  idleConnection,
  unbilledRefusals,
  privateIam,
  privateStrictTls,
];
