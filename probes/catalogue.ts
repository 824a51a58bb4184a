import { ALARMS_PROBES } from './alarms/probes';
import { FUNCTIONS_PROBES } from './functions/probes';
import { GATEWAY_PROBES } from './gateway/probes';
import { JOURNEYS_PROBES } from './journeys/probes';
import { ROTATION_PROBES } from './rotation/probes';
import { STORE_PROBES } from './store/probes';
import { type Probe } from './probe';

/** All probes, in the order in which they run. */
export const PROBES: readonly Probe[] = [
  ...STORE_PROBES,
  ...ROTATION_PROBES,
  ...JOURNEYS_PROBES,
  ...GATEWAY_PROBES,
  ...ALARMS_PROBES,
  ...FUNCTIONS_PROBES,
];
