import { ROWS } from './rotation-faults';
import { testFaultRows } from './support/fault-row';

testFaultRows(ROWS);
