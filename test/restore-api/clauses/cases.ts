import { CASES as ACTING_USER } from './acting-user';
import { CASES as CALLERS } from './callers';
import { CASES as CREDENTIALS_IN_TIME } from './credentials-in-time';
import { CASES as ERROR_BODIES } from './error-bodies';
import { CASES as ERRORS } from './errors';
import { CASES as PATH } from './path';
import { CASES as PROVISIONAL } from './provisional';
import { CASES as RECORD } from './record';
import { CASES as REFERENCES } from './references';
import { CASES as REQUEST_BODY } from './request-body';
import { CASES as RETRY_AFTER } from './retry-after';
import { CASES as SCOPES } from './scopes';
import { CASES as STATES } from './states';
import { CASES as UNREADABLE_RECORDS } from './unreadable-records';
import { CASES as UPSTREAM_ANSWERS } from './upstream-answers';
import { type ClauseCase } from './clause';

/** Cases about requests and about answers of the platform. */
export const REQUEST_CASES: readonly ClauseCase[] = [
  ...ERRORS,
  ...ERROR_BODIES,
  ...ACTING_USER,
  ...REFERENCES,
  ...STATES,
  ...RECORD,
  ...UNREADABLE_RECORDS,
  ...REQUEST_BODY,
  ...PATH,
  ...UPSTREAM_ANSWERS,
  ...RETRY_AFTER,
];

/** All cases of the restore API. */
export const CASES: readonly ClauseCase[] = [
  ...REQUEST_CASES,
  ...CALLERS,
  ...SCOPES,
  ...CREDENTIALS_IN_TIME,
  ...PROVISIONAL,
];
