import { LIFE_ABSURD, LIFE_MISSING, LIFE_SHORT, LIFE_SHRINKING, MALFORMED_ANSWER } from './platform/answers';
import { CLOCK_WRONG } from './platform/clocks';
import { ENDPOINT_DOWN, ENDPOINT_SLOW, RESET_AFTER_SEND, SERVER_ERRORS } from './platform/outages';
import { REFUSED } from './platform/refusals';
import { OTHERS_FAIL } from './platform/other-tenants';
import { RETRY_AFTER, UNUSABLE_RETRY_AFTER } from './platform/throttling';
import { REDIRECTED, TLS_WRONG } from './platform/transport-security';
import { testFaultRows } from './support/fault-row';

// F1 to F13, F34, F35, F37: faults of the platform and of the connection to it.
testFaultRows([
  ENDPOINT_DOWN,
  ENDPOINT_SLOW,
  RETRY_AFTER,
  UNUSABLE_RETRY_AFTER,
  SERVER_ERRORS,
  REFUSED,
  MALFORMED_ANSWER,
  LIFE_MISSING,
  LIFE_ABSURD,
  LIFE_SHORT,
  LIFE_SHRINKING,
  CLOCK_WRONG,
  REDIRECTED,
  TLS_WRONG,
  RESET_AFTER_SEND,
  OTHERS_FAIL,
]);
