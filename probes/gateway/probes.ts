import { type Probe } from '../probe';
import { challengeHeader } from './challenge-header';
import { failedFunctions } from './failed-functions';
import { idleConnection } from './idle-connection';
import { plainHttp } from './plain-http';
import { undefinedRoute } from './undefined-route';

export const GATEWAY_PROBES: readonly Probe[] = [
  failedFunctions,
  undefinedRoute,
  challengeHeader,
  idleConnection,
  plainHttp,
];
