import { CircuitBreaker } from '../../../../lambdas/shared/domain/circuit-breaker';
import { PlatformUnavailableError } from '../../../../lambdas/shared/domain/token-errors';
import { momentAt } from '../../../support/lambdas/virtual-clock';

const OUTAGE = new PlatformUnavailableError('the token endpoint answered 503');
const [ENDPOINT, OTHER] = ['https://content.example', 'https://webhooks.example'];

/** A breaker after failures of these tenants, in order. */
function breakerAfter(...tenantIds: string[]): CircuitBreaker {
  const breaker = new CircuitBreaker();
  for (const tenantId of tenantIds) breaker.failed(ENDPOINT, tenantId, OUTAGE, momentAt(0));
  return breaker;
}

describe('the circuit breaker of a token endpoint', () => {
  test('opens for 30 s after three tenants have failed', () => {
    const breaker = breakerAfter('a', 'b', 'c');

    expect(breaker.find(ENDPOINT, momentAt(0))).toEqual({ error: OUTAGE, leftMs: 30_000 });
    expect(breaker.find(ENDPOINT, momentAt(29_999))).toBeDefined();
    expect(breaker.find(ENDPOINT, momentAt(30_000))).toBeUndefined();
  });

  test.each([[['a', 'b']], [['a', 'a', 'a', 'a']], [['a', 'b', 'a', 'b', 'b']]])(
    'stays closed after %j',
    (tenantIds) => {
      expect(breakerAfter(...tenantIds).find(ENDPOINT, momentAt(0))).toBeUndefined();
    },
  );

  test('starts counting again after a success', () => {
    const breaker = breakerAfter('a', 'b');

    breaker.succeeded(ENDPOINT);
    breaker.failed(ENDPOINT, 'c', OUTAGE, momentAt(0));

    expect(breaker.find(ENDPOINT, momentAt(0))).toBeUndefined();
  });

  test('closes after a success', () => {
    const breaker = breakerAfter('a', 'b', 'c');

    breaker.succeeded(ENDPOINT);

    expect(breaker.find(ENDPOINT, momentAt(0))).toBeUndefined();
  });

  test('does not affect other endpoints', () => {
    expect(breakerAfter('a', 'b', 'c').find(OTHER, momentAt(0))).toBeUndefined();
  });

  test('needs three tenants again after it was open', () => {
    const breaker = breakerAfter('a', 'b', 'c');

    breaker.failed(ENDPOINT, 'd', OUTAGE, momentAt(30_000));

    expect(breaker.find(ENDPOINT, momentAt(30_000))).toBeUndefined();
  });
});
