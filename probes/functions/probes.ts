import { type Probe } from '../probe';
import { describeMissingSecret } from './describe-missing-secret';

export const FUNCTIONS_PROBES: readonly Probe[] = [describeMissingSecret];
