import { CANDIDATE_LABEL, PROVEN_LABEL } from '../../core/secrets/credential-labels';
import { isSameCredential } from '../../core/secrets/credential-values';
import { RotationError } from './rotation-error';
import { type SecretInRotation } from './secret-in-rotation';

/**
 * Makes the pending version current if it is proven.
 * @throws {RotationError} `not_proven`
 * @throws {StoreError}
 */
export async function promote(secret: SecretInRotation): Promise<void> {
  if (!secret.hasLabel(PROVEN_LABEL)) {
    const message = `the pending version of ${secret.name} is not proven, so it stays pending; run ${secret.advice.rotate}`;
    throw new RotationError('not_proven', message);
  }
  await secret.attachLabel('AWSCURRENT');
}

/**
 * Removes our own labels from the promoted version and its candidate, and those of earlier tests from other versions: a
 * version with our labels alone keeps its key when the secret's key changes. A newer candidate keeps its label. AWSPENDING
 * is left to Secrets Manager: removed here, it could mean that the rotation did not complete.
 * @throws {StoreError}
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html (finishSecret)
 */
export async function releaseLabels(secret: SecretInRotation): Promise<void> {
  for (const label of secret.testLabels()) {
    const holder = secret.versionWith(label);
    if (holder !== undefined) await secret.moveLabel(label, { from: holder });
  }
  const candidateId = secret.versionWith(CANDIDATE_LABEL);
  if (candidateId === undefined) return;
  const promoted = await secret.valueOf(secret.versionId);
  const isPromoted = isSameCredential(
    secret.kind,
    await secret.valueOf(candidateId),
    promoted,
    secret.fields,
  );
  if (isPromoted) await secret.moveLabel(CANDIDATE_LABEL, { from: candidateId });
}
