import { type Probe } from '../probe';
import { authorizerContext } from './authorizer-context';
import { challengeHeader } from './challenge-header';
import { deleteWithBody } from './delete-with-body';
import { executionLogs } from './execution-logs';
import { failedFunctions } from './failed-functions';
import { govcloudTls } from './govcloud-tls';
import { idleConnection } from './idle-connection';
import { jsonFilterPattern } from './json-filter-pattern';
import { limitsBeforeAuthorizer } from './limits-before-authorizer';
import { pathAsSent } from './path-as-sent';
import { pathParameters } from './path-parameters';
import { plainHttp } from './plain-http';
import { privateIam } from './private-iam';
import { privateStrictTls } from './private-strict-tls';
import { refusedBeforeQuota } from './refused-before-quota';
import { requestContext } from './request-context';
import { stepFunctionsContentType } from './step-functions-content-type';
import { throttledAndQuota } from './throttled-and-quota';
import { unbilledRefusals } from './unbilled-refusals';
import { undefinedRoute } from './undefined-route';
import { webAclFirst } from './web-acl-first';
import { webAclReplaced } from './web-acl-replaced';
import { welcomeLogGroup } from './welcome-log-group';

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
  idleConnection,
  unbilledRefusals,
  privateIam,
  privateStrictTls,
  plainHttp,
  govcloudTls,
  stepFunctionsContentType,
  welcomeLogGroup,
  deleteWithBody,
  requestContext,
];
