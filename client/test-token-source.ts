import { type TokenValue } from '../core/secrets/secret-values';
import { type TokenKey } from '../core/tokens/published-keys';
import { systemClock } from './clock';
import { createTokenSource, type TokenSource, type TokenSourceOptions } from './token-source';

const DEFAULT_LIFE_SEC = 3600;

/** Options of {@link createTestTokenSource}. */
export interface TestTokenSourceOptions extends Pick<
  TokenSourceOptions,
  'clock' | 'fetch' | 'minValiditySec' | 'onEvent'
> {
  /** How long each issued token is valid, in seconds. @default 3600 */
  lifeSec?: number | undefined;
}

/**
 * Creates a token source for tests of a service. It behaves as one of {@link createTokenSource}, but never calls AWS. A refused
 * token is replaced by another one that `issueToken` returns.
 * @param issueToken returns an access token, such as `sandbox.issueToken` of `latchkey/sandbox`. If it throws an AWS SDK's error, the
 * source treats that as Secrets Manager's answer
 * @throws {TypeError | RangeError} for an unknown or invalid option
 */
export function createTestTokenSource<Key extends TokenKey = Extract<TokenKey, { issuer?: undefined }>>(
  issueToken: (key: Key) => string | Promise<string>,
  { lifeSec = DEFAULT_LIFE_SEC, ...options }: TestTokenSourceOptions = {},
): TokenSource {
  const { clock = systemClock } = options;
  let versions = 0;
  const send = async ({ input }: { input: { SecretId: string } }) => {
    const key = JSON.parse(input.SecretId) as Key;
    const accessToken = await issueToken(key);
    const nowMs = clock.nowMs();
    const value: TokenValue<Key> = {
      ...key,
      accessToken,
      tokenType: 'Bearer',
      issuedAt: new Date(nowMs).toISOString(),
      expiresAt: new Date(nowMs + lifeSec * 1000).toISOString(),
      credentialVersionId: 'test',
    };
    return { VersionId: `test-${++versions}`, SecretString: JSON.stringify(value) };
  };
  return createTokenSource({
    ...options,
    secretId: (key) => JSON.stringify(key),
    secretsManager: { send: send as never },
  });
}
