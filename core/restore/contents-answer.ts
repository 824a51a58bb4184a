import { parseHttpDateMs, parseRetryAfterMs } from '../calls/retry-after';

/** What the platform's answer to `GET /contents` says about the API key. */
export type ContentsVerdict =
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: string }
  | { kind: 'no_verdict'; reason: string; isOutage: boolean; retryAfterMs?: number | undefined };

/**
 * Interprets the status of an answer, and ignores its body.
 * @param nowMs our clock, for a Retry-After with a date if the answer has no Date header
 * @see the platform's specification, "Errors": 401 authentication, 403 permission
 */
export function interpretContentsAnswer(
  answer: { status: number; headers: Readonly<Record<string, string | undefined>> },
  nowMs: number,
): ContentsVerdict {
  const { status, headers } = answer;
  const reason = `the platform answered ${status} to GET /contents`;
  if (status >= 200 && status < 300) return { kind: 'accepted' };
  if (status === 401 || status === 403) return { kind: 'refused', reason };
  if (status >= 300 && status < 400) {
    return { kind: 'no_verdict', reason: `${reason}, a redirect, which is never followed`, isOutage: false };
  }
  const retryAfterMs = parseRetryAfterMs(headers['retry-after'], parseHttpDateMs(headers.date) ?? nowMs);
  return {
    kind: 'no_verdict',
    reason,
    isOutage: status === 408 || status === 429 || status >= 500,
    retryAfterMs,
  };
}
