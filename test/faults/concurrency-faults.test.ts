import { ROWS } from './concurrency-faults';
import { testFaultRows } from './support/fault-row';

testFaultRows(ROWS);
