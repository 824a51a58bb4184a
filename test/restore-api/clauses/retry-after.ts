import { type Break } from '../../support/breaks/break';
import { answered } from '../../support/restore-api/clause-case';
import { type ClauseCase } from './clause';
import { broken } from './product';

/** Retry-After of a 429, and from how many seconds to how many the caller is told to wait. */
const WAITS: readonly [
  ClauseCase['id'],
  string,
  string | (() => string) | undefined,
  readonly [number, number] | undefined,
  Break,
][] = [
  [
    'C620',
    'seconds',
    '7',
    [7, 7],
    broken('restoreHandler', "{ 'Retry-After': String(result.retryAfterSec) }", '{}'),
  ],
  [
    'C621',
    'no wait',
    '0',
    [0, 0],
    broken('retryAfter', String.raw`/^\d+$/.test(text)`, String.raw`/^[1-9]\d*$/.test(text)`),
  ],
  [
    'C622',
    'a day, of which a minute is kept',
    '86400',
    [60, 60],
    broken('retryAfter', 'Math.min(Number(text) * 1000, RETRY_AFTER_CAP_MS)', 'Number(text) * 1000'),
  ],
  [
    'C623',
    'a date',
    () => new Date(Date.now() + 30_000).toUTCString(),
    [25, 30],
    broken('retryAfter', 'if (dateMs === undefined) return undefined;', 'return undefined;'),
  ],
  [
    'C624',
    'a date that has passed',
    'Wed, 21 Oct 2015 07:28:00 GMT',
    [0, 0],
    broken('retryAfter', 'Math.max(dateMs - nowMs, 0)', 'dateMs - nowMs'),
  ],
  [
    'C625',
    'words',
    'soon',
    undefined,
    broken(
      'retryAfter',
      'if (dateMs === undefined) return undefined;',
      'if (dateMs === undefined) return 0;',
    ),
  ],
  [
    'C626',
    'a negative number',
    '-5',
    undefined,
    broken('retryAfter', String.raw`/^\d+$/.test(text)`, String.raw`/^-?\d+$/.test(text)`),
  ],
  [
    'C627',
    'a fraction',
    '1.5',
    undefined,
    broken('retryAfter', String.raw`/^\d+$/.test(text)`, String.raw`/^[\d.]+$/.test(text)`),
  ],
  [
    'C628',
    'nothing',
    undefined,
    undefined,
    broken(
      'retryAfter',
      'if (header === undefined) return undefined;',
      'if (header === undefined) return 1000;',
    ),
  ],
];

/** How long a 429 of the platform asks callers to wait. */
export const CASES: readonly ClauseCase[] = WAITS.map(
  ([id, title, header, retryAfterSec, brokenBy]): ClauseCase => ({
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
    brokenBy,
  }),
);
