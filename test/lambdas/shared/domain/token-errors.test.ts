import { PlatformUnavailableError, TokenError } from '../../../../lambdas/shared/domain/token-errors';

describe('a token error', () => {
  test('that lasts keeps its code and fault, and names the first one as its cause', () => {
    const first = new TokenError('bad_platform_answer', 'no token', { fault: 'redirected' });

    const lasting = first.lasting(30_000);

    expect(lasting).toMatchObject({
      code: 'bad_platform_answer',
      fault: 'redirected',
      retryAfterMs: 30_000,
      message: 'no token',
    });
    expect(lasting.cause).toBe(first);
  });

  test('is counted under its code where no finer class is known', () => {
    expect(new TokenError('not_loaded', 'nothing loaded').fault).toBe('not_loaded');
  });
});

test.each([
  [undefined, true],
  [true, true],
  [false, false],
])('an outage that is said to be retryable (%s) is: %s', (said, isRetryable) => {
  expect(new PlatformUnavailableError('down', { isRetryable: said })).toMatchObject({
    code: 'platform_unavailable',
    isRetryable,
  });
});
