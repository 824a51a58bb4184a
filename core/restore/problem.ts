/**
 * Every error code of the restore API. Codes are stable; titles and details are not.
 * docs/restore-api.md says what each means for the caller.
 */
export const PROBLEM_CODES = [
  'malformed_json',
  'malformed_request',
  'unauthorized',
  'forbidden',
  'unknown_route',
  'unknown_tenant',
  'content_not_found',
  'not_archived',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
  'rejected_by_platform',
  'too_many_requests',
  'internal_error',
  'outcome_unknown',
  'restore_unavailable',
  'platform_failed',
  'platform_unreachable',
  'platform_refused_token',
  'token_unavailable',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** Statuses of the restore API. */
export const RESTORE_STATUSES = [
  200, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 501, 502, 504,
] as const;
export type RestoreStatus = (typeof RESTORE_STATUSES)[number];

/**
 * The body of every error, as `application/problem+json`.
 * @see RFC 9457, section 3; `code` and `requestId` are extension members
 */
export interface Problem {
  type: 'about:blank';
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  /** API Gateway's id of the request, to quote in support questions. */
  requestId: string;
}

/** The challenges of a 401. @see RFC 6750, section 3; RFC 7617, section 2 */
export const CHALLENGES = 'Bearer realm="latchkey", Basic realm="latchkey", charset="UTF-8"';

/** The challenge of a 403 for a token that may not write. @see RFC 6750, section 3.1 */
export const INSUFFICIENT_SCOPE = 'Bearer realm="latchkey", error="insufficient_scope", scope="api/write"';
