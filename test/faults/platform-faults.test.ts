import { LIFE_SHORT } from './platform/short-life';
import { CLOCK_WRONG } from './platform/clocks';
import { ENDPOINT_DOWN, ENDPOINT_SLOW, RESET_AFTER_SEND, SERVER_ERRORS } from './platform/outages';
import { REDIRECTED, TLS_WRONG } from './platform/transport-security';
import { testFaultRows } from './support/fault-row';

// F1, F2, F5, F10 to F13 and F34: faults of the platform and of the connection to it.
testFaultRows([
  ENDPOINT_DOWN,
  ENDPOINT_SLOW,
  SERVER_ERRORS,
  LIFE_SHORT,
  CLOCK_WRONG,
  REDIRECTED,
  TLS_WRONG,
  RESET_AFTER_SEND,
]);
