import { type GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type TokenKey } from '../../../core/tokens/published-keys';
import { tokenSecretName } from '../../../core/secrets/secret-names';
import { nextVersionId } from '../../../core/secrets/compare-and-set';
import { StoreError } from '../../../core/secrets/store-error';
import { serializeStoredToken, type StoredToken } from '../../../core/tokens/stored-token';
import {
  type Clock,
  type CredentialStore,
  type CredentialVersions,
  type TokenEntry,
  type TokenStore,
} from '../../../lambdas/shared/ports';
import { arnOf, serviceException } from '../../support/aws/simulated-secrets-manager';
import { type SeededRandom } from '../../support/live/seeded-random';
import { CALL_MS, limitOf } from './scale-world';

/**
 * Writes per second of an account in an AWS region, all operations that change a value together.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const WRITES_PER_SEC = 50;

interface Secret extends TokenEntry {
  key: TokenKey;
}

/**
 * The secrets of a deployment without the wire: as many calls, with their times and quotas, in a fraction of the work.
 * @param onWrite is called at each write of a token, with the one before
 */
export function scaleStore(
  clock: Clock,
  random: SeededRandom,
  { prefix, keys }: { prefix: string; keys: readonly TokenKey[] },
  onWrite: (key: TokenKey, before: StoredToken | undefined) => void,
) {
  const secrets = new Map(
    keys.map((key): [string, Secret] => {
      const name = tokenSecretName(prefix, key);
      return [name, { secretArn: arnOf(name), key, versionId: undefined, token: undefined }];
    }),
  );
  const isWithinWrites = limitOf(clock, WRITES_PER_SEC);
  const secretOf = (key: Parameters<TokenStore['read']>[0]) => secrets.get(tokenSecretName(prefix, key))!;

  /** The ports of a function. @param processor that its calls share */
  function ports(processor: () => number) {
    const afterCall = async <Result>(act: () => Result): Promise<Result> => {
      await clock.sleep(processor() + random.between(...CALL_MS));
      return act();
    };
    const tokens: TokenStore = {
      read: async (key) => {
        const entry = await afterCall(() => ({ ...secretOf(key) }));
        // Without a value, the adapter asks for the ARN.
        return entry.token === undefined ? afterCall(() => ({ ...secretOf(key) })) : entry;
      },
      compareAndSet: (key, seen, token) =>
        afterCall(() => {
          const secret = secretOf(key);
          if (!isWithinWrites()) throw new StoreError('throttled', 'simulated');
          if (secret.versionId !== seen.versionId) return { kind: 'conflict' };
          onWrite(secret.key, secret.token);
          const versionId = nextVersionId(seen);
          Object.assign(secret, { token, versionId });
          return { kind: 'written', versionId };
        }),
      readNext: (key) => afterCall(() => ({ ...secretOf(key), labels: ['AWSCURRENT'] })),
    };
    const credentials: CredentialStore = {
      read: ({ tenantId }) =>
        afterCall(() => ({ clientId: tenantId, clientSecret: 'simulated', versionId: 'v1' })),
      currentVersionId: () => afterCall(() => 'v1'),
      former: () => afterCall(() => undefined),
    };
    // Only credentials whose rotation was abandoned need more, and none is.
    const labels = new Map([['v1', ['AWSCURRENT']]]);
    const describe: CredentialVersions['describe'] = (secretId) =>
      afterCall(() => ({ arn: secretId, name: secretId, tags: {}, labels, changedAtMs: 0 }));
    return { tokens, credentials, versions: { describe } as CredentialVersions };
  }

  /** Answers readers in place of the SDK client's `send`. */
  async function send({ input }: GetSecretValueCommand): Promise<object> {
    await clock.sleep(random.between(...CALL_MS));
    const { secretArn, key, versionId, token } = secrets.get(input.SecretId!)!;
    if (token === undefined) throw serviceException('ResourceNotFoundException');
    return { ARN: secretArn, VersionId: versionId, SecretString: serializeStoredToken(token, key) };
  }

  return { ports, send };
}
