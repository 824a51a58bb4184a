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

interface Replacement {
  token: StoredToken;
  over: StoredToken | undefined;
  /** The token that the writer derived its write from. */
  seen: StoredToken | undefined;
  atMs: number;
}

/**
 * The secret of `KEY`, shared by workers whose calls wait for their turns. It records which token replaced which.
 * @param fates results of the next writes, in order; later ones are executed
 * @param lags how many versions the next reads lag behind, in order; later ones show the current one
 * @param stored the token at the start
 */
export function interleavedStore(
  clock: Pick<Clock, 'nowMs'>,
  fates: WriteFate[],
  lags: number[],
  stored: StoredToken | undefined,
) {
  const replacements: Replacement[] = [];
  const secrets = new SimulatedSecretsManager(clock);
  const secret = secrets.create(NAME);
  /** Of the versions that were current, in order. */
  const ids: string[] = [];
  if (stored !== undefined) {
    secrets.put(NAME, serializeStoredToken(stored, KEY), FIRST_ID);
    ids.push(FIRST_ID);
  }

  /** Secrets Manager is eventually consistent: a read may show what was current before, or not find a version yet. */
  const sendWithLag: Send = (command) => {
    const { VersionStage, VersionId } = command.input as GetSecretValueCommandInput;
    const isRead = VersionStage === 'AWSCURRENT' || VersionId !== undefined;
    const lag = isRead ? (lags.shift() ?? 0) : 0;
    const shown = ids.slice(0, Math.max(1, ids.length - lag));
    if (lag === 0 || shown.length === 0) return secrets.send(command);
    if (VersionId !== undefined && !shown.includes(VersionId)) {
      return Promise.reject(serviceException('ResourceNotFoundException'));
    }
    return secrets.send(new GetSecretValueCommand({ SecretId: NAME, VersionId: VersionId ?? shown.at(-1) }));
  };
  const store = new SecretsManagerTokenStore(clientOf(sendWithLag), 'latchkey');

  function tokenOf(versionId: string | undefined): StoredToken | undefined {
    const value = versionId === undefined ? undefined : secret.versions.get(versionId)?.secretString;
    return value === undefined ? undefined : parseStoredToken(value, KEY);
  }

  const currentId = () => secrets.versionWith(NAME, 'AWSCURRENT')?.versionId;

  function write(seen: SeenVersion, token: StoredToken): Promise<WriteOutcome> {
    const fate = fates.shift() ?? 'done';
    if (fate !== 'done') secrets.faults.push({ ...FAULTS[fate] });
    const over = tokenOf(currentId());
    const outcome = store.compareAndSet(KEY, seen, token);
    // Recorded even if the acknowledgement is lost, since the write took effect.
    if (tokenOf(currentId())?.accessToken !== over?.accessToken) {
      replacements.push({ token, over, seen: tokenOf(seen.versionId), atMs: clock.nowMs() });
      ids.push(currentId()!);
    }
    return outcome;
  }

  /** The store of one worker. @param turn resolves when the worker's next call may arrive */
  const seenBy = (turn: () => Promise<void>): TokenStore => ({
    read: (key) => turn().then(() => store.read(key)),
    compareAndSet: (_, seen, token) => turn().then(() => write(seen, token)),
    readNext: (key, seen) => turn().then(() => store.readNext(key, seen)),
  });

  return { replacements, seenBy, tokenOf, current: () => tokenOf(currentId()) };
}
