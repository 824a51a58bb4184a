import { type Probe } from '../probe';

export const ROTATION_PROBES: readonly Probe[] = [];
