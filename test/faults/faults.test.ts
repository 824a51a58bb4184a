import { KILLED_PROCESSES } from './concurrency/killed-processes';
import { LAGGING_REPLICA } from './concurrency/lagging-replica';
import { PARALLEL_CALLERS } from './concurrency/parallel-callers';
import { ENDPOINT_SLOW, RESET_AFTER_SEND } from './platform/outages';
import { REDIRECTED, TLS_WRONG } from './platform/transport-security';
import { testFaultRows } from './support/fault-row';

// Those that need connections, processes or another region. test/lambdas and test/client have the others, test/simulation all.
testFaultRows([
  ENDPOINT_SLOW,
  REDIRECTED,
  TLS_WRONG,
  RESET_AFTER_SEND,
  PARALLEL_CALLERS,
  KILLED_PROCESSES,
  LAGGING_REPLICA,
]);
