import { GetSecretValueCommand, type GetSecretValueCommandInput } from '@aws-sdk/client-secrets-manager';

import { tokenSecretName } from '../../../core/secrets/secret-names';
import { SecretsManagerTokenStore } from '../../../lambdas/shared/adapters/secrets-manager-token-store';
import { type SeenVersion } from '../../../core/secrets/compare-and-set';
import { parseStoredToken, serializeStoredToken, type StoredToken } from '../../../core/tokens/stored-token';
import { type Clock, type TokenStore, type WriteOutcome } from '../../../lambdas/shared/ports';
import {
  clientOf,
  type Send,
  serviceException,
  SimulatedSecretsManager,
} from '../../support/aws/simulated-secrets-manager';
import { KEY } from '../../support/lambdas/token-functions';

const NAME = tokenSecretName('latchkey', KEY);
const FIRST_ID = 'version-at-the-start-of-this-case';

/** The result of one write: executed, refused, or executed with its acknowledgement lost. */
export type WriteFate = 'done' | 'throttled' | 'acknowledgement lost';

const FAULTS = {
  throttled: { operation: 'PutSecretValue', name: 'ThrottlingException' },
  'acknowledgement lost': { operation: 'PutSecretValue', name: 'TimeoutError', isAfterEffect: true },
};

/** A version that became current. */
interface Replacement {
  token: StoredToken;
  /** The token that was current before. */
  over: StoredToken | undefined;
  /** The token that the writer derived its write from. */
  seen: StoredToken | undefined;
  atMs: number;
}

/** The secret of `KEY`, shared by workers whose calls wait for their turns. It records which token replaced which. */
export class InterleavedStore {
  readonly replacements: Replacement[] = [];
  readonly #secrets: SimulatedSecretsManager;
  readonly #store: SecretsManagerTokenStore;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #fates: WriteFate[];
  readonly #lags: number[];
  /** Ids of the versions that were current, in order. */
  readonly #ids: string[] = [];

  /**
   * @param fates results of the next writes, in order; later ones are executed
   * @param lags how many versions the next reads lag behind, in order; later ones show the current one
   * @param stored the token at the start
   */
  constructor(
    clock: Pick<Clock, 'nowMs'>,
    {
      fates,
      lags,
      stored,
    }: { fates: readonly WriteFate[]; lags: readonly number[]; stored: StoredToken | undefined },
  ) {
    this.#clock = clock;
    this.#secrets = new SimulatedSecretsManager(clock);
    this.#secrets.create(NAME);
    this.#store = new SecretsManagerTokenStore(clientOf(this.#sendWithLag), 'latchkey');
    this.#fates = [...fates];
    this.#lags = [...lags];
    if (stored !== undefined) {
      this.#secrets.put(NAME, serializeStoredToken(stored, KEY), FIRST_ID);
      this.#ids.push(FIRST_ID);
    }
  }

  /** Secrets Manager is eventually consistent: a read may show what was current before, or not find a version yet. */
  #sendWithLag: Send = (command) => {
    const { VersionStage, VersionId } = command.input as GetSecretValueCommandInput;
    const isRead = VersionStage === 'AWSCURRENT' || VersionId !== undefined;
    const lag = isRead ? (this.#lags.shift() ?? 0) : 0;
    const shown = this.#ids.slice(0, Math.max(1, this.#ids.length - lag));
    if (lag === 0 || shown.length === 0) return this.#secrets.send(command);
    if (VersionId !== undefined && !shown.includes(VersionId)) {
      return Promise.reject(serviceException('ResourceNotFoundException'));
    }
    return this.#secrets.send(
      new GetSecretValueCommand({ SecretId: NAME, VersionId: VersionId ?? shown.at(-1) }),
    );
  };

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
      readNext: async (key, seen) => {
        await turn();
        return this.#store.readNext(key, seen);
      },
    };
  }

  #write(seen: SeenVersion, token: StoredToken): Promise<WriteOutcome> {
    const fate = this.#fates.shift() ?? 'done';
    if (fate !== 'done') this.#secrets.faults.push({ ...FAULTS[fate] });
    const over = this.current();
    const outcome = this.#store.compareAndSet(KEY, seen, token);
    // Recorded even if the acknowledgement is lost, since the write took effect.
    if (this.current()?.accessToken !== over?.accessToken) {
      const seenToken = seen.versionId === undefined ? undefined : this.tokenOf(seen.versionId);
      this.replacements.push({ token, over, seen: seenToken, atMs: this.#clock.nowMs() });
      this.#ids.push(this.#secrets.versionWith(NAME, 'AWSCURRENT')!.versionId);
    }
    return outcome;
  }

  /** The current token. */
  current(): StoredToken | undefined {
    const version = this.#secrets.versionWith(NAME, 'AWSCURRENT');
    return version && this.tokenOf(version.versionId);
  }

  /** The token of a written version. */
  tokenOf(versionId: string): StoredToken | undefined {
    const value = this.#secrets.secret(NAME).versions.get(versionId)?.secretString;
    return value === undefined ? undefined : parseStoredToken(value, KEY);
  }
}
