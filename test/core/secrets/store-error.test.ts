import { faultOf, StoreError } from '../../../core/secrets/store-error';

test.each([
  ['throttled', true],
  ['unavailable', true],
  ['access_denied', false],
  ['not_found', false],
  ['scheduled_for_deletion', false],
  ['limit_exceeded', false],
  ['malformed', false],
] as const)('a store error %s is retryable: %s, and is counted under its own code', (code, isRetryable) => {
  const error = new StoreError(code, 'secretsmanager:GetSecretValue failed');

  expect(error.isRetryable).toBe(isRetryable);
  expect(faultOf(error)).toBe(`store_${code}`);
});
