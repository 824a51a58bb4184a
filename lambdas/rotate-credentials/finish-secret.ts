import { CANDIDATE_LABEL, PROVEN_LABEL } from '../../contract/credential-labels';
import { isSameCredential } from '../shared/domain/credential-values';
import { RotationError } from './rotation-error';
import { type SecretInRotation } from './secret-in-rotation';

/**
 * Makes the pending version current if it is proven.
 * @throws {RotationError} `not_proven`
 * @throws {StoreError}
 */
export async function promote(secret: SecretInRotation): Promise<void> {
  if (!secret.has(PROVEN_LABEL)) {
    const message = `the pending version of ${secret.name} is not proven, so it stays pending; run ${secret.advice.rotate}`;
    throw new RotationError('not_proven', message);
  }
  await secret.attach('AWSCURRENT');
}

/**
 * Removes AWSPENDING from the promoted version. AWS allows it to stay, but if somebody then writes another value by hand,
 * the next rotation would resume this version, which is already proven, and undo that.
 * @throws {StoreError}
 */
export async function endPending(secret: SecretInRotation): Promise<void> {
  if (secret.has('AWSPENDING')) await secret.detach('AWSPENDING', secret.versionId);
}

/** Removes the candidate label once the candidate is current. A newer candidate keeps it. @throws {StoreError} */
export async function releaseCandidate(secret: SecretInRotation): Promise<void> {
  const candidateId = secret.holderOf(CANDIDATE_LABEL);
  if (candidateId === undefined) return;
  const promoted = await secret.valueOf(secret.versionId);
  const isPromoted = isSameCredential(
    secret.kind,
    await secret.valueOf(candidateId),
    promoted,
    secret.fields,
  );
  if (isPromoted) await secret.detach(CANDIDATE_LABEL, candidateId);
}
