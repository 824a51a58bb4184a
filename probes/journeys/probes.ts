import { type Probe } from '../probe';
import { tokensFresh } from './tokens-fresh';

export const JOURNEYS_PROBES: readonly Probe[] = [tokensFresh];
