import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';

describe('a token error', () => {
  test('copied with a new retryAfterMs keeps its code and fault, and has the original as cause', () => {
    const first = new TokenError('bad_platform_answer', 'no token', { fault: 'redirected' });

    const lasting = first.with({ retryAfterMs: 30_000 });

    expect(lasting).toMatchObject({
      code: 'bad_platform_answer',
      fault: 'redirected',
      retryAfterMs: 30_000,
      message: 'no token',
    });
    expect(lasting.cause).toBe(first);
  });

  test('counts as its code if there is no finer fault', () => {
    expect(new TokenError('not_loaded', 'nothing loaded').fault).toBe('not_loaded');
  });
});

test.each([
  [undefined, true],
  [true, true],
  [false, false],
])('an outage with isRetryable %s is retryable: %s', (said, isRetryable) => {
  expect(new PlatformUnavailableError('down', { isRetryable: said })).toMatchObject({
    code: 'platform_unavailable',
    isRetryable,
  });
});
