import { ROWS } from './store-faults';
import { testFaultRows } from './support/fault-row';

testFaultRows(ROWS);
