import { THROTTLED_READS } from './store/throttled-reads';
import { THROTTLED_WRITES } from './store/throttled-writes';
import { testFaultRows } from './support/fault-row';

// F14 and F15: faults of Secrets Manager that pass.
testFaultRows([THROTTLED_READS, THROTTLED_WRITES]);
