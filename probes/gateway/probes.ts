import { type Probe } from '../probe';

export const GATEWAY_PROBES: readonly Probe[] = [];
