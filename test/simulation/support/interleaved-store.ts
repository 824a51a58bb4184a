import { tokenSecretName } from '../../../contract/secret-names';
import { SecretsManagerTokenStore } from '../../../lambdas/shared/adapters/secrets-manager-token-store';
import { type SeenVersion } from '../../../lambdas/shared/domain/compare-and-set';
import { parseStoredToken, type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { type Clock, type TokenStore, type WriteOutcome } from '../../../lambdas/shared/ports';
import { clientOf, SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { KEY } from '../../support/lambdas/token-functions';

const NAME = tokenSecretName('latchkey', KEY);

/** The result of one write: executed, refused, or executed with its acknowledgement lost. */
export type WriteFate = 'done' | 'throttled' | 'acknowledgement lost';

const FAULTS = {
  throttled: { operation: 'PutSecretValue', name: 'ThrottlingException' },
  'acknowledgement lost': { operation: 'PutSecretValue', name: 'TimeoutError', isAfterEffect: true },
};

/** A version that became current, described by the tokens' names. */
interface Replacement {
  token: string;
  /** The token that was current before. */
  over: string | undefined;
  /** The token that the writer had read as current. */
  seen: string | undefined;
}

/** Changes what a write's version id is derived from, for runs that must fail. */
export type Derivation = (seen: SeenVersion) => SeenVersion;

/** The secret of `KEY`, shared by workers whose calls wait for their turns. It records which token replaced which. */
export class InterleavedStore {
  readonly replacements: Replacement[] = [];
  readonly #secrets: SimulatedSecretsManager;
  readonly #store: SecretsManagerTokenStore;
  readonly #fates: WriteFate[];
  readonly #derive: Derivation;

  /** @param fates results of the next writes, in order; later ones are executed */
  constructor(clock: Pick<Clock, 'nowMs'>, fates: readonly WriteFate[], derive: Derivation) {
    this.#secrets = new SimulatedSecretsManager(clock);
    this.#secrets.create(NAME);
    this.#store = new SecretsManagerTokenStore(clientOf(this.#secrets.send), 'latchkey');
    this.#fates = [...fates];
    this.#derive = derive;
  }

  /**
   * The store of one worker.
   * @param turn resolves when the worker's next call may arrive
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
    // Recorded even if the acknowledgement is lost, since the write took effect.
    if (this.current() !== over) {
      const seenToken = seen.versionId === undefined ? undefined : this.tokenOf(seen.versionId);
      this.replacements.push({ token: token.accessToken, over, seen: seenToken });
    }
    return outcome;
  }

  /** The current token. */
  current(): string | undefined {
    const version = this.#secrets.versionWith(NAME, 'AWSCURRENT');
    return version && this.tokenOf(version.versionId);
  }

  /** The token of a written version. */
  tokenOf(versionId: string): string | undefined {
    const value = this.#secrets.secret(NAME).versions.get(versionId)?.secretString;
    return value === undefined ? undefined : parseStoredToken(value, KEY)?.accessToken;
  }
}
