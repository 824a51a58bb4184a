import { ANSWER_HOLES } from './answers';
import { CALLER_HOLES } from './callers';
import { FOUND_HOLES } from './found';
import { PLATFORM_HOLES } from './platform';
import { REQUEST_HOLES } from './requests';

/** What can be missing from the restore API. Each stands for a defense that clauses rely on. */
export const HOLES = {
  ...CALLER_HOLES,
  ...FOUND_HOLES,
  ...REQUEST_HOLES,
  ...ANSWER_HOLES,
  ...PLATFORM_HOLES,
};
