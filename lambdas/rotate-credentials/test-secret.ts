import {
  type LacksLabel,
  lacksLabels,
  type OutcomeLabel,
  PROVEN_LABEL,
  REFUSED_LABEL,
  UNTESTED_LABEL,
} from '../../core/secrets/credential-labels';
import { isSameCredential, parseCredential } from '../../core/secrets/credential-values';
import { StoreError } from '../../core/secrets/store-error';
import { type CredentialProof, type Log, type ProofOutcome } from '../shared/ports';
import { RotationError } from './rotation-error';
import { type SecretInRotation } from './secret-in-rotation';

const LABEL_OF: Record<ProofOutcome['kind'], OutcomeLabel> = {
  proven: PROVEN_LABEL,
  refused: REFUSED_LABEL,
  could_not_test: UNTESTED_LABEL,
};

/**
 * Proves the pending version with the platform, and labels it with the outcome. A version that is already proven is
 * proven again, because that may have been days ago. A pending version without a value, or with the current one, is
 * AWS's test of the configuration: it passes without a request to the platform.
 * @param proofEndsMs deadline of the proof, by the monotonic clock
 * @throws {RotationError} `candidate_refused`, `could_not_test` or `candidate_malformed`
 * @throws {StoreError}
 */
export async function testSecret(
  secret: SecretInRotation,
  { proof, log }: { proof: CredentialProof; log: Log },
  proofEndsMs: number,
): Promise<void> {
  const value = await secret.valueOf(secret.versionId);
  if (value === undefined) return;
  const { kind, name, fields, tenant, advice } = secret;
  if (isSameCredential(kind, value, await secret.valueOf(secret.versionWith('AWSCURRENT')), fields)) return;

  const credential = parseCredential(kind, value, fields);
  if (credential === undefined) {
    await label(secret, REFUSED_LABEL);
    const message = `the pending version of ${name} is not a valid ${kind} value; run ${advice.stage}`;
    throw new RotationError('candidate_malformed', message);
  }
  const outcome = await proof.prove(tenant, credential, proofEndsMs);
  if (outcome.kind === 'proven') await record(secret, log);
  const lacks = outcome.kind === 'refused' ? (outcome.lacks ?? []) : [];
  await label(secret, LABEL_OF[outcome.kind], lacksLabels(lacks, secret.issuer));
  if (outcome.kind === 'refused') {
    const message = `the platform refused the candidate in ${name}: ${outcome.reason}; run ${advice.stage}`;
    throw new RotationError('candidate_refused', message);
  }
  if (outcome.kind === 'could_not_test') {
    const message = `the candidate in ${name} could not be tested: ${outcome.reason}; once the platform answers, run ${advice.rotate}`;
    throw new RotationError('could_not_test', message);
  }
}

/** A failure does not stop the rotation: until the next run of `prove` succeeds, the former version serves on. */
async function record(secret: SecretInRotation, log: Log): Promise<void> {
  try {
    await secret.recordProven();
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { tenantId } = secret.tenant;
    log.error('proof not recorded', {
      tenantId,
      credential: secret.kind,
      code: error.code,
      reason: error.message,
    });
  }
}

/**
 * Replaces the labels of the last test. Attaches the new outcome first, so that a tested version always has one, but removes
 * an outdated LATCHKEY_PROVEN before that, so that the version cannot be promoted.
 * @param lacks attached before the outcome, for the command that waits for it
 */
async function label(
  secret: SecretInRotation,
  outcome: OutcomeLabel,
  lacks: readonly LacksLabel[] = [],
): Promise<void> {
  const wanted: readonly string[] = [outcome, ...lacks];
  const outdated = secret.testLabels().filter((old) => !wanted.includes(old) && secret.hasLabel(old));
  if (outdated.includes(PROVEN_LABEL)) await secret.moveLabel(PROVEN_LABEL, { from: secret.versionId });
  for (const lacking of lacks) await secret.attachLabel(lacking);
  await secret.attachLabel(outcome);
  for (const old of outdated) {
    if (old !== PROVEN_LABEL) await secret.moveLabel(old, { from: secret.versionId });
  }
}
