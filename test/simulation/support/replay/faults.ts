import { type FaultReplay } from './fault-replay';
import { PLATFORM_FAULTS } from './platform-fault-replays';
import { ROTATION_FAULTS } from './rotation-fault-replays';
import { RUN_FAULTS } from './run-fault-replays';
import { STORE_FAULTS } from './store-fault-replays';

export const FAULTS: readonly FaultReplay[] = [
  ...PLATFORM_FAULTS,
  ...STORE_FAULTS,
  ...ROTATION_FAULTS,
  ...RUN_FAULTS,
];
