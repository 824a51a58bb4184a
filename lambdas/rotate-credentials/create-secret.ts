import { CANDIDATE_LABEL, REFUSED_LABEL } from '../../core/secrets/credential-labels';
import { isSameCredential, parseCredential, withFurtherFields } from '../../core/secrets/credential-values';
import { RotationError } from './rotation-error';
import { type SecretInRotation } from './secret-in-rotation';

/**
 * Copies the candidate into the pending version, with the current version's further fields, or finds the copy of an
 * earlier attempt. The candidate keeps its label until it is promoted.
 *
 * Another value in the pending version ends the rotation. It may have been current: AWSPENDING can stay on a promoted
 * version, which Secrets Manager resumes once somebody has written another value by hand. To promote it would undo that.
 *
 * A failure that no repetition can cure removes AWSPENDING: while an unfinished version has it, every RotateSecret fails,
 * also that of a stack that is updated.
 * @throws {RotationError} `candidate_missing`, `not_loaded`, `candidate_malformed`, `candidate_is_current` or `not_pending`
 * @throws {StoreError}
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html (AWSPENDING after a rotation)
 */
export async function createSecret(secret: SecretInRotation): Promise<void> {
  try {
    await copyCandidate(secret);
  } catch (error) {
    if (error instanceof RotationError) {
      await secret.endRotation(error.code === 'candidate_malformed' ? REFUSED_LABEL : undefined);
    }
    throw error;
  }
}

async function copyCandidate(secret: SecretInRotation): Promise<void> {
  const { kind, name, fields, advice } = secret;
  const candidateId = secret.versionWith(CANDIDATE_LABEL);
  const candidate = await secret.valueOf(candidateId);
  if (candidateId === undefined || candidate === undefined) {
    if (secret.versionWith('AWSCURRENT') === undefined) {
      const message = `no credential is loaded in ${name} yet, so there is nothing to rotate; to load one, run ${advice.stage}`;
      throw new RotationError('not_loaded', message);
    }
    const message = `no new credential is staged in ${name}; to stage one, run ${advice.stage}`;
    throw new RotationError('candidate_missing', message);
  }
  if (parseCredential(kind, candidate, fields) === undefined) {
    const message = `the candidate in ${name} is not a valid ${kind} value; run ${advice.stage}`;
    throw new RotationError('candidate_malformed', message);
  }
  const currentId = secret.versionWith('AWSCURRENT');
  const current = await secret.valueOf(currentId);
  if (isSameCredential(kind, candidate, current, fields)) {
    // On the current version, the label tells the command that nothing is left to do.
    await secret.moveLabel(CANDIDATE_LABEL, {
      from: candidateId,
      to: candidateId === currentId ? undefined : currentId,
    });
    const message = `the candidate in ${name} is already current, so there is nothing to do; for another one, run ${advice.stage}`;
    throw new RotationError('candidate_is_current', message);
  }
  const pending = await secret.valueOf(secret.versionId);
  if (pending === undefined) {
    // An operator cannot read the secret, so a candidate lacks the fields that others keep there.
    return secret.putPending(withFurtherFields(candidate, current));
  }
  if (!isSameCredential(kind, candidate, pending, fields)) {
    const message = `version ${secret.versionId} of ${name} is not the candidate, so it is no longer pending; run ${advice.rotate}`;
    throw new RotationError('not_pending', message);
  }
}
