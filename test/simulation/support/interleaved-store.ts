import { type TokenKey } from '../../../contract/token-key';
import { type SeenVersion } from '../../../lambdas/shared/domain/compare-and-set';
import { StoreError } from '../../../lambdas/shared/domain/store-error';
import { type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { type TokenStore, type WriteOutcome } from '../../../lambdas/shared/ports';
import { InMemoryTokenStore } from '../../support/lambdas/in-memory-token-store';

/** What becomes of one write: done, refused, or done without an acknowledgement. */
export type WriteFate = 'done' | 'throttled' | 'acknowledgement lost';

/** A version that became current, by the tokens' names. */
interface Replacement {
  token: string;
  /** What was current until then. */
  over: string | undefined;
  /** What its writer had seen as current. */
  seen: string | undefined;
}

/** What a write's version id is derived from, where a control wants another id than the product's. */
export type Derivation = (seen: SeenVersion) => SeenVersion;

/** One token secret for several workers, whose calls each wait for their turn; it remembers what replaced what. */
export class InterleavedStore {
  readonly replacements: Replacement[] = [];
  readonly #store = new InMemoryTokenStore();
  readonly #tokenOfVersion = new Map<string, string>();
  readonly #fates: WriteFate[];
  readonly #derive: Derivation;

  /** @param fates one per coming write, taken in order; after them all are done */
  constructor(fates: readonly WriteFate[], derive: Derivation) {
    this.#fates = [...fates];
    this.#derive = derive;
  }

  /**
   * The store as one worker has it.
   * @param turn resolves when the worker's next call is to arrive
   */
  seenBy(turn: () => Promise<void>): TokenStore {
    return {
      read: async (key) => {
        await turn();
        return this.#store.read(key);
      },
      compareAndSet: async (key, seen, token) => {
        await turn();
        return this.#write(key, seen, token);
      },
    };
  }

  async #write(key: TokenKey, seen: SeenVersion, token: StoredToken): Promise<WriteOutcome> {
    const fate = this.#fates.shift() ?? 'done';
    if (fate === 'throttled') throw new StoreError('throttled', 'ThrottlingException');
    const over = this.current(key);
    const outcome = await this.#store.compareAndSet(key, this.#derive(seen), token);
    if (outcome.kind === 'written' && this.current(key) !== over) {
      const seenToken = seen.versionId === undefined ? undefined : this.#tokenOfVersion.get(seen.versionId);
      this.replacements.push({ token: token.accessToken, over, seen: seenToken });
      this.#tokenOfVersion.set(outcome.versionId, token.accessToken);
    }
    if (fate === 'acknowledgement lost') throw new StoreError('unavailable', 'TimeoutError');
    return outcome;
  }

  /** The token that is current. */
  current(key: TokenKey): string | undefined {
    return this.#store.current(key)?.accessToken;
  }

  /** The token of a version that was written. */
  tokenOf(versionId: string): string | undefined {
    return this.#tokenOfVersion.get(versionId);
  }
}
