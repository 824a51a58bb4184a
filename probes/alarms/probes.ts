import { type Probe } from '../probe';
import { narrowDescribeAlarms } from './narrow-describe-alarms';
import { warmUp } from './warm-up';
import { warmUpElsewhere } from './warm-up-elsewhere';

export const ALARMS_PROBES: readonly Probe[] = [narrowDescribeAlarms, warmUp, warmUpElsewhere];
