import { answered } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';

/** Retry-After of a 429, and the minimum and maximum that the caller gets, in seconds. */
const WAITS: readonly [
  ClauseCase['id'],
  string,
  string | (() => string) | undefined,
  readonly [number, number] | undefined,
][] = [
  ['C620', 'seconds', '7', [7, 7]],
  ['C621', 'no wait', '0', [0, 0]],
  ['C622', 'a day, limited to a minute', '86400', [60, 60]],
  ['C623', 'a date', () => new Date(Date.now() + 30_000).toUTCString(), [25, 30]],
  ['C624', 'a date that has passed', 'Wed, 21 Oct 2015 07:28:00 GMT', [0, 0]],
  ['C625', 'words', 'soon', undefined],
  ['C626', 'a negative number', '-5', undefined],
  ['C627', 'a fraction', '1.5', undefined],
  ['C628', 'nothing', undefined, undefined],
];

/** How long a 429 from the platform asks callers to wait. */
export const CASES: readonly ClauseCase[] = WAITS.map(([id, title, header, retryAfterSec]): ClauseCase => ({
  id,
  clause: header === undefined ? 'Limits, rate: not shown' : 'RFC 9110, section 10.2.3',
  title: `429 that asks for ${title}`,
  given: {
    faults: () => [
      {
        status: 429,
        ...(header !== undefined && {
          headers: { 'retry-after': typeof header === 'string' ? header : header() },
        }),
      },
    ],
  },
  expected: answered(429, 429, 'too_many_requests', { retryAfterSec }),
}));
