import { parseHttpDateMs, parseRetryAfterMs } from '../../../core/calls/retry-after';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const httpDate = (ms: number) => new Date(ms).toUTCString();

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    [' 30 ', 30_000],
    ['60', 60_000],
    ['61', 60_000],
    ['9'.repeat(400), 60_000],
    [httpDate(NOON_MS + 20_000), 20_000],
    [httpDate(NOON_MS + 3_600_000), 60_000],
    [httpDate(NOON_MS - 20_000), 0],
  ])('of %s is a wait within 0–60 s', (header, waitMs) => {
    expect(parseRetryAfterMs(header, NOON_MS)).toBe(waitMs);
  });

  test.each([undefined, '', '-5', '1.5', '1e3', 'soon', '٣', '5, 5', '2026-01-31T12:00:20Z'])(
    'of %j is invalid',
    (header) => {
      expect(parseRetryAfterMs(header, NOON_MS)).toBeUndefined();
    },
  );
});

// RFC 9110, section 5.6.7: the example of the preferred form
test.each<[string | undefined, number | undefined]>([
  ['Sun, 06 Nov 1994 08:49:37 GMT', 784_111_777_000],
  ...[
    undefined,
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 06 Nov 1994 08:49:37 GMT+0200',
    'Sun, 46 Nov 1994 08:49:37 GMT',
    'Sun, 06 Xxx 1994 08:49:37 GMT',
    '\nSun, 06 Nov 1994 08:49:37 GMT',
  ].map((text): [string | undefined, undefined] => [text, undefined]),
])('an HTTP-date is parsed in the preferred format only: %j', (text, ms) => {
  expect(parseHttpDateMs(text)).toBe(ms);
});
