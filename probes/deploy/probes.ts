import { type Probe } from '../probe';

export const DEPLOY_PROBES: readonly Probe[] = [];
