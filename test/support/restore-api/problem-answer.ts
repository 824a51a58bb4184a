import { type Problem } from '../../../core/restore/problem';
import { type HttpsAnswer } from './https-request';

/** Names of RFC 9110, section 15, and RFC 6585, section 4. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
};

const PROMISED_HEADERS = [
  'content-type',
  'cache-control',
  'x-content-type-options',
  'www-authenticate',
  'accept',
  'retry-after',
];

const CHALLENGES = 'Bearer realm="latchkey", Basic realm="latchkey", charset="UTF-8"';

/**
 * Checks body and headers of a problem completely, and returns the body.
 * @param retryAfterSec for a 429; other answers must not have that header
 * @param challenge for a 403
 * @see RFC 9457, section 3; RFC 9110, sections 11.6.1 and 15.5.16
 */
export function expectProblem(
  answer: HttpsAnswer,
  status: number,
  code: string,
  { retryAfterSec, challenge }: { retryAfterSec?: number; challenge?: string } = {},
): Problem {
  const { headers } = answer;
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"${code}"`)]);
  const body = JSON.parse(answer.text) as Problem;
  expect(body).toEqual({
    type: 'about:blank',
    title: TITLES[status],
    status,
    detail: expect.stringMatching(/^\S.{10,}$/) as string,
    code,
    requestId: headers['x-amzn-requestid'],
  });
  expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(Object.fromEntries(PROMISED_HEADERS.map((name) => [name, headers[name]]))).toEqual({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'www-authenticate': { 401: CHALLENGES, 403: challenge }[status],
    accept: status === 415 ? 'application/json' : undefined,
    'retry-after': retryAfterSec?.toString(),
  });
  // API Gateway always renames a function's Content-Length and Date, which tell callers nothing.
  const isRenamed = (name: string) => /^x-amzn-remapped-(?!content-length|date)/.test(name);
  expect(Object.keys(headers).filter(isRenamed)).toEqual([]);
  return body;
}
