import { type Case } from '../../support/restore-api/clause-case';

/**
 * The clauses of the restore API: sections of the platform's specification with their rows and rules; where
 * it is silent, a standard or a promise of docs/restore-api.md. Each has a case.
 */
export const CLAUSES = [
  'Errors, 401 Unauthorized',
  'Errors, 403 Forbidden',
  'Errors, 404 Not Found',
  'Errors, 409 Conflict',
  'Errors, 415 Unsupported Media Type',
  'Errors, 422 Unprocessable Content',
  'Errors, 502 Bad Gateway',
  'Errors, default unexpected error',
  'Errors, general rule 1',
  'Errors, general rule 2',
  'Errors, error body shape: not shown',
  'Acting-user object, fields',
  'Acting-user object, at least one',
  'Acting-user object, rule 1',
  'Acting-user object, rule 2',
  'Acting-user object, rule 3',
  'Acting-user object, rule 4',
  'Acting-user object, rule 5',
  'Content record',
  'Item',
  'Item, failure reason',
  'Status vocabularies, gaps',
  'States, archived',
  'States, any other state',
  'States, rule 1',
  'States, rule 2',
  'States, rule 3',
  'Endpoints 3, path parameter',
  'Endpoints 3, Content-Type',
  'Endpoints 3, body',
  'Endpoints 3, response',
  'Endpoints 3, method and path: not shown',
  'Endpoints 3, success status code: not shown',
  'OAuth 2.0, rule 1',
  'OAuth 2.0, rule 2',
  'OAuth 2.0, rule 3',
  'OAuth 2.0, rule 4, content api/all',
  'OAuth 2.0, rule 4, content api/read',
  'OAuth 2.0, rule 4, content api/write',
  'OAuth 2.0, rule 4, webhooks api/webhooks',
  'OAuth 2.0, rule 4, webhooks api/all',
  'OAuth 2.0, rule 5',
  'HTTP Basic, username and password',
  'HTTP Basic, one tenant identifier',
  'HTTP Basic, migration',
  'Generated API key, validUntil',
  'Common rules, 1',
  'Common rules, 2',
  'Limits, access token lifetime',
  'Limits, request size: not shown',
  'Limits, rate: not shown',
  'Versioning, coming soon',
  'RFC 6750, section 2.1',
  'RFC 7617, section 2',
  'RFC 8259, section 8.1',
  'RFC 9110, section 8.3.1',
  'RFC 9110, section 9.2.2',
  'RFC 9110, section 10.2.3',
  'RFC 9110, section 11.6.2',
] as const;

type Cases = Readonly<Record<string, Case>>;

/** Cases by their clauses and titles. */
export type Clauses = { readonly [Clause in (typeof CLAUSES)[number]]?: Cases };

/** A case for each row, which begins with its title. */
export function casesOf<Values extends unknown[]>(
  rows: readonly (readonly [title: string, ...values: Values])[],
  caseOf: (...values: Values) => Case,
): Cases {
  return Object.fromEntries(rows.map(([title, ...values]) => [title, caseOf(...values)]));
}
