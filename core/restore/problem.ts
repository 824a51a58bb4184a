import { type ProblemCode } from './restore-outcomes';

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
