import { OUTCOME_LABELS } from '../../contract/credential-labels';
import { type RotationMetric } from '../../contract/metrics';
import { type RotationEvent, type RotationFailure } from '../../contract/rotation';
import { StoreError } from '../shared/domain/store-error';
import { type CredentialProof, type Log, type LogFields, type Metrics } from '../shared/ports';
import { type CountedRuns } from './counted-runs';
import { createSecret } from './create-secret';
import { endPending, promote, releaseCandidate } from './finish-secret';
import { RotationError } from './rotation-error';
import { parseRotationEvent } from './rotation-event';
import { SecretInRotation, type SecretPorts } from './secret-in-rotation';
import { testSecret } from './test-secret';

/** Left of a step's time when the proof ends: for labelling what came of it. */
const LABELLING_MS = 8_000;

/** What becomes of a run that fails so; RotationFailed where it is not named. */
const METRIC_OF: Partial<Record<RotationFailure, RotationMetric>> = {
  candidate_missing: 'RotationCandidateMissing',
  candidate_refused: 'RotationRefused',
  could_not_test: 'RotationUntested',
};

/** No faults: the schedule fires for secrets that were never loaded too, and an operator may stage the current credential. */
const NO_FAULTS: readonly RotationFailure[] = ['not_loaded', 'candidate_is_current'];

/** What a rotation needs from outside, and what the process remembers of earlier ones. */
export interface RotationPorts extends SecretPorts {
  proof: CredentialProof;
  log: Log;
  metrics: Metrics;
  countedRuns: CountedRuns;
}

/**
 * Does one step of a rotation. Each step looks before it writes, so it can be repeated, and begun again after it was
 * broken off anywhere. Nothing that the platform has not accepted becomes current.
 * @param deadlineMs by the monotonic clock
 * @throws {RotationError}
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
export async function rotate(ports: RotationPorts, event: unknown, deadlineMs: number): Promise<void> {
  const { log, metrics, countedRuns } = ports;
  const fields: LogFields = {};
  let count = (outcome: RotationMetric) => metrics.count(outcome);
  try {
    const request = parseRotationEvent(event);
    count = (outcome) => countedRuns.count(request.ClientRequestToken, outcome, metrics);
    fields.step = request.Step;
    const secret = await SecretInRotation.open(ports, request, deadlineMs);
    Object.assign(fields, { tenantId: secret.tenant.tenantId, credential: secret.kind });
    await doStep(request, secret, {
      test: () => testSecret(secret, ports.proof, deadlineMs - LABELLING_MS),
      promoted: () => count('RotationSucceeded'),
    });
    log.info('rotation step done', fields);
  } catch (cause) {
    const error = cause instanceof StoreError ? unavailable(cause) : cause;
    if (!(error instanceof RotationError)) {
      count('RotationFailed');
      throw error;
    }
    if (!NO_FAULTS.includes(error.code)) count(METRIC_OF[error.code] ?? 'RotationFailed');
    log.error('rotation step failed', { ...fields, code: error.code, reason: error.message });
    throw error;
  }
}

async function doStep(
  { Step }: RotationEvent,
  secret: SecretInRotation,
  { test, promoted }: { test: () => Promise<void>; promoted: () => void },
): Promise<void> {
  const isCurrent = secret.has('AWSCURRENT');
  if (!isCurrent && !secret.has('AWSPENDING')) {
    const message = `version ${secret.versionId} of ${secret.name} is not the pending one; run ${secret.advice.rotate}`;
    throw new RotationError('not_pending', message);
  }
  if (!isCurrent && secret.has('AWSPREVIOUS')) throw await superseded(secret);
  switch (Step) {
    case 'createSecret':
      return isCurrent ? undefined : createSecret(secret);
    case 'setSecret':
      // The platform made the credential before it was staged.
      return;
    case 'testSecret':
      return isCurrent ? undefined : test();
    case 'finishSecret':
      if (!isCurrent) await promote(secret);
      // Before anything else can fail: what is left to do is tidying up.
      promoted();
      await endPending(secret);
      return releaseCandidate(secret);
  }
}

/**
 * AWSPENDING stays on what was promoted by a run that was broken off right then. If somebody then writes another value by
 * hand, the next rotation is about that old version: promoting it again would undo what they did.
 */
async function superseded(secret: SecretInRotation): Promise<RotationError> {
  for (const label of ['AWSPENDING', ...OUTCOME_LABELS]) {
    if (secret.has(label)) await secret.detach(label, secret.versionId);
  }
  const message = `version ${secret.versionId} of ${secret.name} was current and was replaced, so it is not pending any more; run ${secret.advice.rotate}`;
  return new RotationError('not_pending', message);
}

function unavailable(cause: StoreError): RotationError {
  const message = `${cause.message}; Secrets Manager repeats the rotation by itself`;
  return new RotationError('store_unavailable', message, { cause });
}
