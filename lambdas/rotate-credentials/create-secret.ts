import { CANDIDATE_LABEL, REFUSED_LABEL } from '../../contract/credential-labels';
import { isSameCredential, parseCredential } from '../shared/domain/credential-values';
import { RotationError } from './rotation-error';
import { type SecretInRotation } from './secret-in-rotation';

/**
 * Fills the pending version with what an operator staged, unless it has a value. The label stays on the staged version,
 * so that the candidate is known until it is promoted.
 * @throws {RotationError} `candidate_missing`, `not_loaded`, `candidate_malformed` or `candidate_is_current`
 * @throws {StoreError}
 */
export async function createSecret(secret: SecretInRotation): Promise<void> {
  if ((await secret.valueOf(secret.versionId)) !== undefined) return;

  const { kind, name, advice } = secret;
  const candidateId = secret.holderOf(CANDIDATE_LABEL);
  const candidate = await secret.valueOf(candidateId);
  if (candidateId === undefined || candidate === undefined) {
    if (secret.holderOf('AWSCURRENT') === undefined) {
      const message = `nothing is loaded in ${name} yet, so there is nothing to rotate; to load it, run ${advice.stage}`;
      throw new RotationError('not_loaded', message);
    }
    const message = `no new credential is staged in ${name}, and only people can get one; run ${advice.stage}`;
    throw new RotationError('candidate_missing', message);
  }
  if (parseCredential(kind, candidate) === undefined) {
    // No other run of this value can end better, and whoever looks at the labels is to see that.
    await secret.attach(REFUSED_LABEL);
    const message = `what is staged in ${name} is no value of kind ${kind}; run ${advice.stage}`;
    throw new RotationError('candidate_malformed', message);
  }
  if (isSameCredential(kind, candidate, await secret.valueOf(secret.holderOf('AWSCURRENT')))) {
    await secret.detach(CANDIDATE_LABEL, candidateId);
    const message = `what was staged in ${name} is current already; nothing is left to do, and for another one run ${advice.stage}`;
    throw new RotationError('candidate_is_current', message);
  }
  await secret.putPending(candidate);
}
