import { FAILED_TESTS } from './rotation/failed-tests';
import { LOST_KEYS } from './rotation/lost-keys';
import { PENDING_LEFT_BEHIND } from './rotation/pending-left-behind';
import { testFaultRows } from './support/fault-row';

// F24 to F26: interrupted and failed rotations, and API keys that could not be stored.
testFaultRows([PENDING_LEFT_BEHIND, FAILED_TESTS, LOST_KEYS]);
