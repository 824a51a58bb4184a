import { type Probe } from '../probe';
import { tokenWithOtherValue } from './token-with-other-value';

export const STORE_PROBES: readonly Probe[] = [tokenWithOtherValue];
