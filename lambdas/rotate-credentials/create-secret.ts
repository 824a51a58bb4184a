import { CANDIDATE_LABEL, REFUSED_LABEL } from '../../contract/credential-labels';
import { isSameCredential, parseCredential, withFurtherFields } from '../shared/domain/credential-values';
import { RotationError } from './rotation-error';
import { type SecretInRotation } from './secret-in-rotation';

/**
 * Copies the candidate into the pending version, unless that already has a value, with the current version's further
 * fields. The candidate keeps its label until it is promoted.
 * @throws {RotationError} `candidate_missing`, `not_loaded`, `candidate_malformed` or `candidate_is_current`
 * @throws {StoreError}
 */
export async function createSecret(secret: SecretInRotation): Promise<void> {
  if ((await secret.valueOf(secret.versionId)) !== undefined) return;

  const { kind, name, fields, advice } = secret;
  const candidateId = secret.holderOf(CANDIDATE_LABEL);
  const candidate = await secret.valueOf(candidateId);
  if (candidateId === undefined || candidate === undefined) {
    if (secret.holderOf('AWSCURRENT') === undefined) {
      const message = `no credential is loaded in ${name} yet, so there is nothing to rotate; to load one, run ${advice.stage}`;
      throw new RotationError('not_loaded', message);
    }
    const message = `no new credential is staged in ${name}; to stage one, run ${advice.stage}`;
    throw new RotationError('candidate_missing', message);
  }
  if (parseCredential(kind, candidate, fields) === undefined) {
    // A retry cannot succeed either, and the label shows that.
    await secret.attach(REFUSED_LABEL);
    const message = `the candidate in ${name} is not a valid ${kind} value; run ${advice.stage}`;
    throw new RotationError('candidate_malformed', message);
  }
  const current = await secret.valueOf(secret.holderOf('AWSCURRENT'));
  if (isSameCredential(kind, candidate, current, fields)) {
    await secret.detach(CANDIDATE_LABEL, candidateId);
    const message = `the candidate in ${name} is already current, so there is nothing to do; for another one, run ${advice.stage}`;
    throw new RotationError('candidate_is_current', message);
  }
  // An operator cannot read the secret, so a candidate lacks the fields that others keep there.
  await secret.putPending(withFurtherFields(candidate, current));
}
