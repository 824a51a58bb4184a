import { type Probe } from '../probe';

export const FUNCTIONS_PROBES: readonly Probe[] = [];
