import { ANSWER_HOLES } from './answers';
import { CALLER_HOLES } from './callers';
import { FOUND_HOLES } from './found';
import { PLATFORM_HOLES } from './platform';
import { REQUEST_HOLES } from './requests';

/** All defenses that can be removed from the restore API. Each one is what some clauses rely on. */
export const HOLES = {
  ...CALLER_HOLES,
  ...FOUND_HOLES,
  ...REQUEST_HOLES,
  ...ANSWER_HOLES,
  ...PLATFORM_HOLES,
};
