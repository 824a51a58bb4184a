import { tokenSecretName } from '../../../contract/secret-names';
import { type TokenKey } from '../../../contract/token-key';
import { nextVersionId, type SeenVersion } from '../../../lambdas/shared/domain/compare-and-set';
import { StoreError, type StoreFailure } from '../../../lambdas/shared/domain/store-error';
import {
  parseStoredToken,
  serializeStoredToken,
  type StoredToken,
} from '../../../lambdas/shared/domain/stored-token';
import {
  type Clock,
  type TokenEntry,
  type TokenStore,
  type TokenVersion,
  type WriteOutcome,
} from '../../../lambdas/shared/ports';

const MAX_VALUE_BYTES = 65_536;
const MAX_VERSIONS = 100;
const KEPT_ALWAYS_MS = 24 * 60 * 60 * 1000;

interface Version {
  value: string | Uint8Array;
  /** The value as the key's own token. */
  token: StoredToken | undefined;
  createdAtMs: number;
}

interface Secret {
  key: TokenKey;
  state: 'kept' | 'scheduled for deletion' | 'deleted';
  /** Oldest first. */
  versions: Map<string, Version>;
  /** The version that each staging label is attached to. */
  labels: Map<string, string>;
}

/** What happens to one write instead of its being done; `lost` is done, but its acknowledgement is an error. */
export type WriteFault = { error: StoreError; lost?: boolean };

/**
 * Token secrets that behave as those of Secrets Manager do: version ids that are taken, staging labels, deletion, sizes.
 * Every secret exists from the start, without a version.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
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
  readonly #clock: Pick<Clock, 'nowMs'> | undefined;

  /** @param clock by which versions grow old; without one, any number of them is kept */
  constructor(clock?: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  async read(key: TokenKey): Promise<TokenEntry> {
    this.reads.push(key);
    const fault = this.readFaults.shift();
    if (fault !== undefined) throw fault;
    const { state } = this.#secretOf(key);
    if (state === 'deleted') throw failed('not_found', 'DescribeSecret', nameOf(key));
    if (state === 'scheduled for deletion')
      throw failed('scheduled_for_deletion', 'GetSecretValue', nameOf(key));
    const current = this.version(key, 'AWSCURRENT');
    return { secretArn: arnOf(key), versionId: undefined, token: undefined, ...current, attempt: 0 };
  }

  async compareAndSet(key: TokenKey, seen: SeenVersion, token: StoredToken): Promise<WriteOutcome> {
    this.attempts.push({ key, seen, token });
    this.meanwhile(key);
    const fault = this.writeFaults.shift();
    if (fault === undefined) return this.#write(key, seen, token);
    if (fault.lost === true) await this.#write(key, seen, token).catch(() => undefined);
    throw fault.error;
  }

  /** Makes a token current, whoever does it. */
  put(key: TokenKey, versionId: string, token: StoredToken): void {
    this.putValue(key, versionId, serializeStoredToken(token, key));
  }

  /**
   * Adds a version with any value, whoever does it. The first one becomes current whatever labels are asked for.
   * @throws {StoreError} `limit_exceeded`
   */
  putValue(
    key: TokenKey,
    versionId: string,
    value: string | Uint8Array,
    labels: readonly string[] = ['AWSCURRENT'],
  ): void {
    const secret = this.#secretOf(key);
    const { versions } = secret;
    if (!this.#hasRoom(secret)) throw failed('limit_exceeded', 'PutSecretValue', arnOf(key));
    const attached = versions.size === 0 ? new Set([...labels, 'AWSCURRENT']) : labels;
    const token = typeof value === 'string' ? parseStoredToken(value, key) : undefined;
    versions.set(versionId, { value, token, createdAtMs: this.#clock?.nowMs() ?? 0 });
    for (const label of attached) this.moveLabel(key, versionId, label);
  }

  /** Moves a label by hand, which leaves all versions where they are. AWSPREVIOUS follows AWSCURRENT. */
  moveLabel(key: TokenKey, versionId: string, label = 'AWSCURRENT'): void {
    const { labels } = this.#secretOf(key);
    const holder = labels.get(label);
    if (holder === versionId) return;
    labels.set(label, versionId);
    if (label === 'AWSCURRENT' && holder !== undefined) labels.set('AWSPREVIOUS', holder);
  }

  /** Schedules a secret's deletion, takes that back, or deletes it at once. */
  setState(key: TokenKey, state: Secret['state']): void {
    this.#secretOf(key).state = state;
  }

  current(key: TokenKey): StoredToken | undefined {
    return this.version(key, 'AWSCURRENT')?.token;
  }

  /** The version that a label is attached to. */
  version(key: TokenKey, label: string): TokenVersion | undefined {
    const { labels, versions } = this.#secretOf(key);
    const versionId = labels.get(label);
    if (versionId === undefined) return undefined;
    return { secretArn: arnOf(key), versionId, token: versions.get(versionId)!.token };
  }

  /** The labels of every version that is kept, and its value. */
  versions(key: TokenKey): { versionId: string; labels: string[]; value: string | Uint8Array }[] {
    const { labels, versions } = this.#secretOf(key);
    return [...versions].map(([versionId, { value }]) => ({
      versionId,
      labels: [...labels].filter(([, holder]) => holder === versionId).map(([label]) => label),
      value,
    }));
  }

  async #write(key: TokenKey, seen: SeenVersion, token: StoredToken): Promise<WriteOutcome> {
    this.#secretOf(key);
    const secret = this.#secrets.get(seen.secretArn);
    const value = serializeStoredToken(token, key);
    const refused = (code: StoreFailure) => failed(code, 'PutSecretValue', seen.secretArn);
    if (secret === undefined || secret.state === 'deleted') throw refused('not_found');
    if (secret.state === 'scheduled for deletion') throw refused('scheduled_for_deletion');
    if (Buffer.byteLength(value) > MAX_VALUE_BYTES) throw refused('malformed');
    const versionId = nextVersionId(seen);
    const known = secret.versions.get(versionId);
    if (known !== undefined && known.value !== value) return { kind: 'conflict' };
    if (known === undefined) this.putValue(secret.key, versionId, value);
    return { kind: 'written', versionId };
  }

  /** Of about 100 versions only those without a label and older than a day make room. */
  #hasRoom({ versions, labels }: Secret): boolean {
    if (this.#clock === undefined) return true;
    const labelled = new Set(labels.values());
    const oldMs = this.#clock.nowMs() - KEPT_ALWAYS_MS;
    for (const [versionId, { createdAtMs }] of versions) {
      if (versions.size < MAX_VERSIONS) break;
      if (!labelled.has(versionId) && createdAtMs < oldMs) versions.delete(versionId);
    }
    return versions.size < MAX_VERSIONS;
  }

  #secretOf(key: TokenKey): Secret {
    const arn = arnOf(key);
    const known = this.#secrets.get(arn);
    if (known !== undefined) return known;
    const secret: Secret = { key, state: 'kept', versions: new Map(), labels: new Map() };
    this.#secrets.set(arn, secret);
    return secret;
  }
}

/** The ARN under which the store keeps a key's secret. */
export function arnOf(key: TokenKey): string {
  return `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${nameOf(key)}-AbCdEf`;
}

function nameOf(key: TokenKey): string {
  return tokenSecretName('latchkey', key);
}

/** The exceptions by which Secrets Manager tells what the store does by itself. */
const EXCEPTIONS: Partial<Record<StoreFailure, string>> = {
  not_found: 'ResourceNotFoundException',
  scheduled_for_deletion: 'InvalidRequestException',
  limit_exceeded: 'LimitExceededException',
  malformed: 'InvalidParameterException',
};

function failed(code: StoreFailure, operation: string, secretId: string): StoreError {
  return new StoreError(code, `secretsmanager:${operation} on ${secretId} failed: ${EXCEPTIONS[code]}`);
}
