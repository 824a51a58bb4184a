import { CASES as ACTING_USER } from './acting-user';
import { CASES as CALLERS } from './callers';
import { type ClauseCase } from './clause';
import { CASES as CREDENTIALS_IN_TIME } from './credentials-in-time';
import { CASES as ERRORS } from './errors';
import { CASES as PATH } from './path';
import { CASES as PROVISIONAL } from './provisional';
import { CASES as RECORD } from './record';
import { CASES as REQUEST_BODY } from './request-body';
import { CASES as SCOPES } from './scopes';
import { CASES as STATES } from './states';
import { CASES as UPSTREAM_ANSWERS } from './upstream-answers';

/** Cases about requests and about answers of the platform. */
export const REQUEST_CASES: readonly ClauseCase[] = [
  ...ERRORS,
  ...ACTING_USER,
  ...STATES,
  ...RECORD,
  ...REQUEST_BODY,
  ...PATH,
  ...UPSTREAM_ANSWERS,
];

/** All cases of the restore API. */
export const CASES: readonly ClauseCase[] = [
  ...REQUEST_CASES,
  ...CALLERS,
  ...SCOPES,
  ...CREDENTIALS_IN_TIME,
  ...PROVISIONAL,
];
