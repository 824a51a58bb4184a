import { type Probe } from '../probe';
import { silence } from './silence';

export const ALARMS_PROBES: readonly Probe[] = [silence];
