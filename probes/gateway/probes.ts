import { type Probe } from '../probe';
import { challengeHeader } from './challenge-header';
import { failedFunctions } from './failed-functions';
import { undefinedRoute } from './undefined-route';

export const GATEWAY_PROBES: readonly Probe[] = [failedFunctions, undefinedRoute, challengeHeader];
