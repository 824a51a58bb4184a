import { ROWS } from './platform-faults';
import { testFaultRows } from './support/fault-row';

testFaultRows(ROWS);
