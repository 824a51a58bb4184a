import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';

test('a token error copied with a new retryAfterMs keeps the rest, and has the original as cause', () => {
  const first = new TokenError('bad_platform_answer', 'no token', { fault: 'redirected' });

  expect(first.with({ retryAfterMs: 30_000 })).toMatchObject({
    code: 'bad_platform_answer',
    fault: 'redirected',
    retryAfterMs: 30_000,
    message: 'no token',
    cause: first,
  });
});

test.each([
  [{}, { isRetryable: true, isRateLimit: false }],
  [
    { isRetryable: true, isRateLimit: true },
    { isRetryable: true, isRateLimit: true },
  ],
  [{ isRetryable: false }, { isRetryable: false, isRateLimit: false }],
])('an outage with %j is %j, and counts as its code without a finer fault', (said, is) => {
  expect(new PlatformUnavailableError('down', said)).toMatchObject({
    code: 'platform_unavailable',
    fault: 'platform_unavailable',
    ...is,
  });
});
