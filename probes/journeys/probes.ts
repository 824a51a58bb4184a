import { type Probe } from '../probe';

export const JOURNEYS_PROBES: readonly Probe[] = [];
