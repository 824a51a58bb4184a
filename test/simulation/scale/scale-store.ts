import { type GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type TokenKey } from '../../../core/tokens/token-key';
import { tokenSecretName } from '../../../core/secrets/secret-names';
import { nextVersionId, type SeenVersion } from '../../../core/secrets/compare-and-set';
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
import { CALL_MS, type Processor } from './scale-world';
import { TokenBucket } from './token-bucket';

/**
 * Writes per second of an account in an AWS region, all operations that change a value together.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const WRITES_PER_SEC = 50;

/** A write of a token: the one before, and the new one. */
export type OnWrite = (key: TokenKey, before: StoredToken | undefined, after: StoredToken) => void;

interface Secret {
  arn: string;
  key: TokenKey;
  versionId: string | undefined;
  token: StoredToken | undefined;
}

/** The secrets of a deployment without the wire: as many calls, with their times and quotas, in a fraction of the work. */
export class ScaleStore {
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #onWrite: OnWrite;
  readonly #secrets = new Map<string, Secret>();
  readonly #prefix: string;
  readonly #writes: TokenBucket;

  constructor(
    clock: Clock,
    random: SeededRandom,
    prefix: string,
    keys: readonly TokenKey[],
    onWrite: OnWrite,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#onWrite = onWrite;
    this.#prefix = prefix;
    this.#writes = new TokenBucket(clock, WRITES_PER_SEC);
    for (const key of keys) {
      const name = tokenSecretName(prefix, key);
      this.#secrets.set(name, { arn: arnOf(name), key, versionId: undefined, token: undefined });
    }
  }

  /** The ports of a function. @param processor that its calls share */
  ports(processor: Processor): {
    tokens: TokenStore;
    credentials: CredentialStore;
    versions: CredentialVersions;
  } {
    const call = () => this.#clock.sleep(processor() + this.#random.between(...CALL_MS));
    const describe = async (secretId: string) => {
      await call();
      const labels = new Map([['v1', ['AWSCURRENT']]]);
      return { arn: secretId, name: secretId, tags: {}, labels, changedAtMs: 0 };
    };
    const tokens: TokenStore = {
      read: async (key) => {
        await call();
        const secret = this.#secretOf(key);
        // Without a value, the adapter asks for the ARN.
        if (secret.token === undefined) await call();
        return entryOf(secret);
      },
      compareAndSet: async (key, seen, token) => {
        await call();
        return this.#write(this.#secretOf(key), seen, token);
      },
      readNext: async (key) => {
        await call();
        return { ...entryOf(this.#secretOf(key)), labels: ['AWSCURRENT'] };
      },
    };
    const credentials: CredentialStore = {
      read: async ({ tenantId }) => {
        await call();
        return { clientId: tenantId, clientSecret: 'simulated', versionId: 'v1' };
      },
      currentVersionId: async () => {
        await call();
        return 'v1';
      },
      former: async () => {
        await call();
        return undefined;
      },
    };
    // Only credentials whose rotation was abandoned need more, and none is.
    return { tokens, credentials, versions: { describe } as unknown as CredentialVersions };
  }

  /** Answers readers in place of the SDK client's `send`. */
  send = async (command: object): Promise<object> => {
    const { SecretId } = (command as GetSecretValueCommand).input;
    await this.#clock.sleep(this.#random.between(...CALL_MS));
    const { arn, key, versionId, token } = this.#secrets.get(SecretId!)!;
    if (token === undefined) throw serviceException('ResourceNotFoundException');
    return { ARN: arn, VersionId: versionId, SecretString: serializeStoredToken(token, key) };
  };

  #secretOf(key: TokenKey): Secret {
    return this.#secrets.get(tokenSecretName(this.#prefix, key))!;
  }

  #write(secret: Secret, seen: SeenVersion, token: StoredToken) {
    if (!this.#writes.take()) throw new StoreError('throttled', 'simulated');
    if (secret.versionId !== seen.versionId) return { kind: 'conflict' } as const;
    this.#onWrite(secret.key, secret.token, token);
    secret.token = token;
    secret.versionId = nextVersionId(seen);
    return { kind: 'written', versionId: secret.versionId } as const;
  }
}

function entryOf({ arn, versionId, token }: Secret): TokenEntry {
  return { secretArn: arn, versionId, token };
}
