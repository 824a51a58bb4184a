import { FAILED_TESTS } from './rotation/failed-tests';
import { PENDING_LEFT_BEHIND } from './rotation/pending-left-behind';

/** Rows F24 and F25: rotations that break off or fail. */
export const ROWS = [PENDING_LEFT_BEHIND, FAILED_TESTS];
