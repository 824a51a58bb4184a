import { STATUS_CODES } from 'node:http';

/** Status names from RFC 9110 that Node still has in an older form. */
const NEWER_NAMES: Readonly<Record<number, string>> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/** The statuses of refusals, and of a failed dependency (502). */
type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 415 | 422 | 502;

/** The platform's error body. The specification does not show its shape; this one is assumed. */
export function errorBody(status: number, message: string) {
  return { status, error: NEWER_NAMES[status] ?? STATUS_CODES[status] ?? 'Error', message };
}

/** A refused request. The platform answers with this status and {@link errorBody}. */
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
