import { tokenSecretName } from '../../../contract/secret-names';
import { SecretsManagerTokenStore } from '../../../lambdas/shared/adapters/secrets-manager-token-store';
import { type SeenVersion } from '../../../lambdas/shared/domain/compare-and-set';
import { parseStoredToken, type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { type Clock, type TokenStore, type WriteOutcome } from '../../../lambdas/shared/ports';
import { clientOf, SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { KEY } from '../../support/lambdas/token-functions';

const NAME = tokenSecretName('latchkey', KEY);

/** What becomes of one write: done, refused, or done without an acknowledgement. */
export type WriteFate = 'done' | 'throttled' | 'acknowledgement lost';

const FAULTS = {
  throttled: { operation: 'PutSecretValue', name: 'ThrottlingException' },
  'acknowledgement lost': { operation: 'PutSecretValue', name: 'TimeoutError', isAfterEffect: true },
};

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

/** The secret of `KEY` for several workers, whose calls each wait for their turn; it remembers what replaced what. */
export class InterleavedStore {
  readonly replacements: Replacement[] = [];
  readonly #secrets: SimulatedSecretsManager;
  readonly #store: SecretsManagerTokenStore;
  readonly #fates: WriteFate[];
  readonly #derive: Derivation;

  /** @param fates one per coming write, taken in order; after them all are done */
  constructor(clock: Pick<Clock, 'nowMs'>, fates: readonly WriteFate[], derive: Derivation) {
    this.#secrets = new SimulatedSecretsManager(clock);
    this.#secrets.create(NAME);
    this.#store = new SecretsManagerTokenStore(clientOf(this.#secrets.send), 'latchkey');
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
      compareAndSet: async (_, seen, token) => {
        await turn();
        return this.#write(seen, token);
      },
    };
  }

  #write(seen: SeenVersion, token: StoredToken): Promise<WriteOutcome> {
    const fate = this.#fates.shift() ?? 'done';
    if (fate !== 'done') this.#secrets.faults.push({ ...FAULTS[fate] });
    const over = this.current();
    const outcome = this.#store.compareAndSet(KEY, this.#derive(seen), token);
    // Whatever becomes of the answer, the secret is as the write leaves it.
    if (this.current() !== over) {
      const seenToken = seen.versionId === undefined ? undefined : this.tokenOf(seen.versionId);
      this.replacements.push({ token: token.accessToken, over, seen: seenToken });
    }
    return outcome;
  }

  /** The token that is current. */
  current(): string | undefined {
    const version = this.#secrets.versionWith(NAME, 'AWSCURRENT');
    return version && this.tokenOf(version.versionId);
  }

  /** The token of a version that was written. */
  tokenOf(versionId: string): string | undefined {
    const value = this.#secrets.secret(NAME).versions.get(versionId)?.secretString;
    return value === undefined ? undefined : parseStoredToken(value, KEY)?.accessToken;
  }
}
