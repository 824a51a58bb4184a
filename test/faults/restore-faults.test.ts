import { START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';
import { REFUSED_TOKEN } from './restore/refused-token';
import { BROKEN_AFTER_SEND, CALLER_RETRIES, UNKNOWN_ANSWER } from './restore/unknown-outcomes';
import { UNREACHABLE } from './restore/unreachable-platform';
import { startRestorePath, stopRestorePath } from './restore/wire-restore';
import { testFaultRows } from './support/fault-row';

beforeAll(startRestorePath, START_TIMEOUT_MS);
afterAll(stopRestorePath);

// F28 to F32: a restore request, which must not be sent twice.
testFaultRows([UNREACHABLE, BROKEN_AFTER_SEND, CALLER_RETRIES, REFUSED_TOKEN, UNKNOWN_ANSWER]);
