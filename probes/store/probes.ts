import { type Probe } from '../probe';

export const STORE_PROBES: readonly Probe[] = [];
