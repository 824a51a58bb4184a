import { DENIED } from './store/denied';
import { LOST_ACKNOWLEDGEMENTS } from './store/lost-acknowledgements';
import { MISSING_SECRETS } from './store/missing-secrets';
import { SCHEDULED_DELETION } from './store/scheduled-deletion';
import { THROTTLED_READS } from './store/throttled-reads';
import { THROTTLED_WRITES } from './store/throttled-writes';
import { WRITE_CONFLICTS } from './store/write-conflicts';
import { testFaultRows } from './support/fault-row';

// F14 to F19 and F23: faults of Secrets Manager and KMS, and missing permissions.
testFaultRows([
  THROTTLED_READS,
  THROTTLED_WRITES,
  DENIED,
  MISSING_SECRETS,
  SCHEDULED_DELETION,
  WRITE_CONFLICTS,
  LOST_ACKNOWLEDGEMENTS,
]);
