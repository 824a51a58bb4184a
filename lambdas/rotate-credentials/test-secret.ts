import {
  OUTCOME_LABELS,
  type OutcomeLabel,
  PROVEN_LABEL,
  REFUSED_LABEL,
  UNTESTED_LABEL,
} from '../../contract/credential-labels';
import { isSameCredential, parseCredential } from '../shared/domain/credential-values';
import { type CredentialProof, type ProofOutcome } from '../shared/ports';
import { RotationError } from './rotation-error';
import { type SecretInRotation } from './secret-in-rotation';

const LABEL_OF: Record<ProofOutcome['kind'], OutcomeLabel> = {
  proven: PROVEN_LABEL,
  refused: REFUSED_LABEL,
  could_not_test: UNTESTED_LABEL,
};

/**
 * Has the platform prove the pending version, and labels it with the outcome. A pending version without a value, or with
 * the current one, is AWS's test of the configuration: it passes, and the platform hears nothing of it. What was proven
 * is proven again: the run that did it may have been broken off days ago.
 * @param proofEndsMs by the monotonic clock: what has no answer then could not be tested
 * @throws {RotationError} `candidate_refused`, `could_not_test` or `candidate_malformed`
 * @throws {StoreError}
 */
export async function testSecret(
  secret: SecretInRotation,
  proof: CredentialProof,
  proofEndsMs: number,
): Promise<void> {
  const value = await secret.valueOf(secret.versionId);
  if (value === undefined) return;
  const { kind, name, tenant, advice } = secret;
  if (isSameCredential(kind, value, await secret.valueOf(secret.holderOf('AWSCURRENT')))) return;

  const credential = parseCredential(kind, value);
  if (credential === undefined) {
    await label(secret, REFUSED_LABEL);
    const message = `the pending version of ${name} is no value of kind ${kind}; run ${advice.stage}`;
    throw new RotationError('candidate_malformed', message);
  }
  const outcome = await proof.prove(tenant, credential, proofEndsMs);
  await label(secret, LABEL_OF[outcome.kind]);
  if (outcome.kind === 'refused') {
    const message = `the platform refused what is staged in ${name}: ${outcome.reason}; run ${advice.stage}`;
    throw new RotationError('candidate_refused', message);
  }
  if (outcome.kind === 'could_not_test') {
    const message = `what is staged in ${name} could not be tested: ${outcome.reason}; once the platform answers, run ${advice.rotate}`;
    throw new RotationError('could_not_test', message);
  }
}

/**
 * The new label comes first, so that at no moment a version that was tested is without an outcome; only a proof is
 * withdrawn before that, so that at no moment what is not proven any more could be promoted.
 */
async function label(secret: SecretInRotation, outcome: OutcomeLabel): Promise<void> {
  const outdated = OUTCOME_LABELS.filter((other) => other !== outcome && secret.has(other));
  if (outdated.includes(PROVEN_LABEL)) await secret.detach(PROVEN_LABEL, secret.versionId);
  await secret.attach(outcome);
  for (const other of outdated) {
    if (other !== PROVEN_LABEL) await secret.detach(other, secret.versionId);
  }
}
