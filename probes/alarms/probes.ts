import { type Probe } from '../probe';

export const ALARMS_PROBES: readonly Probe[] = [];
