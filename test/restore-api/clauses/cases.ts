import { type ClauseCase } from '../../support/restore-api/clause-case';
import { ACTING_USER } from './acting-user';
import { CALLERS } from './callers';
import { type Clauses } from './clause';
import { CREDENTIALS_IN_TIME } from './credentials-in-time';
import { ERRORS } from './errors';
import { PATH } from './path';
import { PROVISIONAL } from './provisional';
import { RECORD } from './record';
import { REQUEST_BODY } from './request-body';
import { SCOPES } from './scopes';
import { STATES } from './states';
import { UPSTREAM_ANSWERS } from './upstream-answers';

/** Cases about requests and about answers of the platform. */
export const REQUEST_CASES: readonly ClauseCase[] = [
  ERRORS,
  ACTING_USER,
  STATES,
  RECORD,
  REQUEST_BODY,
  PATH,
  UPSTREAM_ANSWERS,
].flatMap(listed);

/** All cases of the restore API. */
export const CASES: readonly ClauseCase[] = [
  ...REQUEST_CASES,
  ...[CALLERS, SCOPES, CREDENTIALS_IN_TIME, PROVISIONAL].flatMap(listed),
];

function listed(clauses: Clauses): ClauseCase[] {
  return Object.entries(clauses).flatMap(([clause, cases]) =>
    Object.entries(cases).map(([title, each]) => ({ clause, title, ...each })),
  );
}
