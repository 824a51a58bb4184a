import { KILLED_PROCESSES } from './concurrency/killed-processes';
import { LAGGING_REPLICA } from './concurrency/lagging-replica';
import { PARALLEL_CALLERS } from './concurrency/parallel-callers';
import { REPEATED_EVENTS } from './concurrency/repeated-events';
import { ROTATED_CREDENTIALS } from './concurrency/rotated-credentials';
import { TWO_DEPLOYMENTS } from './concurrency/two-deployments';
import { testFaultRows } from './support/fault-row';

// F20 to F22, F27, F33 and F36: concurrent calls, repeated and late events, killed processes, and another deployment.
testFaultRows([
  PARALLEL_CALLERS,
  REPEATED_EVENTS,
  KILLED_PROCESSES,
  ROTATED_CREDENTIALS,
  LAGGING_REPLICA,
  TWO_DEPLOYMENTS,
]);
