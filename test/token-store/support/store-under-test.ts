import { type TokenKey } from '../../../contract/token-key';
import { StoreError } from '../../../lambdas/shared/domain/store-error';
import { type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { type TokenStore, type TokenVersion } from '../../../lambdas/shared/ports';
import { KEY } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

/** The calls that a store makes. */
export type StoreOperation = 'GetSecretValue' | 'DescribeSecret' | 'PutSecretValue';

/** A right that a store needs. */
export type StoreRight = `secretsmanager:${StoreOperation}` | 'kms:Decrypt' | 'kms:GenerateDataKey';

/** How the connection fails under a call. */
export type WireFailure =
  'request lost' | 'request swallowed' | 'answer lost' | 'answer held back' | 'connection refused';

/** What goes wrong with the next call: the connection, or the exception of that name answers it. */
export type CallFailure = WireFailure | { exception: string };

/**
 * A token store with all that the conformance suite arranges around it: what operators do by hand, what goes wrong, and
 * what is to be seen of the secret from outside. Secrets begin without a version.
 */
export interface StoreUnderTest {
  readonly store: TokenStore;
  /** The same secrets through another process's store. */
  anotherStore(): TokenStore;

  createSecret(key: TokenKey): void;
  deleteSecret(key: TokenKey): Promise<void>;
  scheduleDeletion(key: TokenKey): Promise<void>;
  restoreSecret(key: TokenKey): Promise<void>;
  arnOf(key: TokenKey): string;
  /** Adds a version by hand, by default as the current one. */
  putByHand(
    key: TokenKey,
    versionId: string,
    value: string | Uint8Array,
    labels?: readonly string[],
  ): Promise<void>;
  /** Moves a label by hand, from whichever version has it. */
  moveByHand(key: TokenKey, label: string, versionId: string): Promise<void>;

  /** The sorted labels of every version that is kept, by version id. */
  labels(key: TokenKey): Promise<Record<string, string[]>>;
  valueOf(key: TokenKey, versionId: string): Promise<string | Uint8Array | undefined>;
  /** AWSPREVIOUS, as the authorizer reads it. */
  readPrevious(key: TokenKey): Promise<TokenVersion | undefined>;

  passTime(ms: number): void;
  /** Takes one right of the store's role away. */
  deny(key: TokenKey, right: StoreRight): void;
  failNext(key: TokenKey, operation: StoreOperation, failure: CallFailure): Promise<void>;
  close(): Promise<void>;
}

/** How long a test waits for a call that hangs. */
export const PATIENCE_MS = 300;

/** Opens a store, with a secret for `KEY`. */
export type OpenStore = () => Promise<StoreUnderTest>;

/** What a first look at a secret without a version sees. */
export const nothingSeen = (secretArn: string) => ({ secretArn, versionId: undefined, attempt: 0 });

/** A token that differs from those of other names. */
export function tokenNamed(name: string, change: Partial<StoredToken> = {}): StoredToken {
  return {
    accessToken: `token-${name}`,
    issuedAtMs: NOON_MS,
    expiresAtMs: NOON_MS + 3_600_000,
    credentialVersionId: 'credential-1',
    writesMs: [NOON_MS],
    ...change,
  };
}

/** Reads the secret of `KEY` and writes a token over what was seen, which must succeed. @returns its version id */
export async function write(store: TokenStore, token: StoredToken, key: TokenKey = KEY): Promise<string> {
  const outcome = await store.compareAndSet(key, await store.read(key), token);
  if (outcome.kind !== 'written') throw new Error(`the write was a ${outcome.kind}`);
  return outcome.versionId;
}

/** What a call failed with. @throws whatever else than a StoreError it threw, and if it succeeded */
export async function failureOf(call: Promise<unknown>): Promise<StoreError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error('the call succeeded');
}
