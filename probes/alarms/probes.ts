import { type Probe } from '../probe';
import { alarmMessages } from './alarm-messages';
import { alarmsByName } from './alarms-by-name';
import { dashboardAddress } from './dashboard-address';
import { fillOfNothing } from './fill-of-nothing';
import { hourlyAlarm } from './hourly-alarm';
import { silence } from './silence';
import { warmUp } from './warm-up';

export const ALARMS_PROBES: readonly Probe[] = [
  alarmsByName,
  fillOfNothing,
  warmUp,
  alarmMessages,
  hourlyAlarm,
  silence,
  dashboardAddress,
];
