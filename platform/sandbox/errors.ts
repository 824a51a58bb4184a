import { STATUS_CODES } from 'node:http';

/** Names of RFC 9110 (and of the specification's table) where Node still has older ones. */
const NEWER_NAMES: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** The statuses that the platform's operations themselves answer with when they refuse, or a dependency fails (502). */
type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 415 | 422 | 502;

/** The platform's error body. Its shape is not shown in the specification; this is the assumed one. */
export function errorBody(status: number, message: string) {
  return { status, error: NEWER_NAMES[status] ?? STATUS_CODES[status] ?? 'Error', message };
}

/** A request that the platform refuses; becomes the answer with that status and {@link errorBody}. */
export class RefusedRequestError extends Error {
  readonly code = 'refused_request';
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: RefusalStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'RefusedRequestError';
    this.status = status;
    this.headers = headers;
  }
}
