import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';
import { ROWS } from './restore-faults';
import { startRestorePath, stopRestorePath } from './restore/wire-restore';
import { testFaultRows } from './support/fault-row';

beforeAll(() => startRestorePath(RestoreApiUnderTest), START_TIMEOUT_MS);
afterAll(stopRestorePath);

testFaultRows(ROWS);
