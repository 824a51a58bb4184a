import { type TokenKey } from '../../../contract/token-key';
import { nextVersionId, type SeenVersion } from '../../../lambdas/shared/domain/compare-and-set';
import { type StoreError } from '../../../lambdas/shared/domain/store-error';
import { type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { tokenKeyText } from '../../../lambdas/shared/domain/token-lifetime';
import { type TokenEntry, type TokenStore, type WriteOutcome } from '../../../lambdas/shared/ports';

interface Secret {
  versions: Map<string, StoredToken>;
  currentId: string | undefined;
}

/** What happens to one write instead of its being done; `lost` is done, but its acknowledgement is an error. */
export type WriteFault = { error: StoreError; lost?: boolean };

/**
 * Token secrets that keep every version, and refuse a known version id with another value, as Secrets Manager does.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (ClientRequestToken)
 */
export class InMemoryTokenStore implements TokenStore {
  readonly reads: TokenKey[] = [];
  /** Every attempt to write, also those that failed. */
  readonly attempts: { key: TokenKey; seen: SeenVersion; token: StoredToken }[] = [];
  /** One per coming read, taken in order; undefined lets a read through. */
  readonly readFaults: (StoreError | undefined)[] = [];
  /** One per coming write, taken in order; undefined lets a write through. */
  readonly writeFaults: (WriteFault | undefined)[] = [];
  /** Called before each write is decided: what another writer does in between. */
  meanwhile: (key: TokenKey) => void = () => undefined;
  readonly #secrets = new Map<string, Secret>();

  async read(key: TokenKey): Promise<TokenEntry> {
    this.reads.push(key);
    const fault = this.readFaults.shift();
    if (fault !== undefined) throw fault;
    const { currentId, versions } = this.#secretOf(key);
    const token = currentId === undefined ? undefined : versions.get(currentId);
    return { secretArn: arnOf(key), versionId: currentId, attempt: 0, token };
  }

  async compareAndSet(key: TokenKey, seen: SeenVersion, token: StoredToken): Promise<WriteOutcome> {
    this.attempts.push({ key, seen, token });
    this.meanwhile(key);
    const fault = this.writeFaults.shift();
    if (fault !== undefined && fault.lost !== true) throw fault.error;
    const { versions } = this.#secretOf(key);
    const versionId = nextVersionId(seen);
    const known = versions.get(versionId);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(token)) return { kind: 'conflict' };
    if (known === undefined) this.put(key, versionId, token);
    if (fault !== undefined) throw fault.error;
    return { kind: 'written', versionId };
  }

  /** Makes a value current, whoever does it. */
  put(key: TokenKey, versionId: string, token: StoredToken): void {
    const secret = this.#secretOf(key);
    secret.versions.set(versionId, token);
    secret.currentId = versionId;
  }

  /** Moves the current label by hand, which leaves all versions where they are. */
  moveLabel(key: TokenKey, versionId: string): void {
    this.#secretOf(key).currentId = versionId;
  }

  current(key: TokenKey): StoredToken | undefined {
    const { currentId, versions } = this.#secretOf(key);
    return currentId === undefined ? undefined : versions.get(currentId);
  }

  #secretOf(key: TokenKey): Secret {
    const known = this.#secrets.get(tokenKeyText(key));
    if (known !== undefined) return known;
    const secret: Secret = { versions: new Map(), currentId: undefined };
    this.#secrets.set(tokenKeyText(key), secret);
    return secret;
  }
}

/** The ARN under which the store keeps a key's secret. */
export function arnOf({ tenantId, interface: name, scope }: TokenKey): string {
  return `arn:aws:secretsmanager:eu-west-2:111122223333:secret:${tenantId}/${name}/${scope}`;
}
