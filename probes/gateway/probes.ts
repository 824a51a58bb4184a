import { type Probe } from '../probe';
import { authorizerContext } from './authorizer-context';
import { challengeHeader } from './challenge-header';
import { executionLogs } from './execution-logs';
import { failedFunctions } from './failed-functions';
import { jsonFilterPattern } from './json-filter-pattern';
import { pathAsSent } from './path-as-sent';
import { pathParameters } from './path-parameters';
import { refusedBeforeQuota } from './refused-before-quota';
import { throttledAndQuota } from './throttled-and-quota';
import { undefinedRoute } from './undefined-route';

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
];
