import { type RotationMetric } from '../../core/alarms/metrics';
import { type RotationEvent, type RotationFailure } from '../../core/rotation/rotation';
import { StoreError } from '../../core/secrets/store-error';
import {
  type ChangeEvents,
  type CredentialProof,
  type Log,
  type LogFields,
  type Metrics,
} from '../shared/ports';
import { type CountedRuns } from './counted-runs';
import { createSecret } from './create-secret';
import { promote, releaseLabels } from './finish-secret';
import { RotationError } from './rotation-error';
import { parseRotationEvent } from './rotation-event';
import { SecretInRotation, type SecretPorts } from './secret-in-rotation';
import { testSecret } from './test-secret';

/** Time reserved after the proof to label the version with its outcome. */
const LABELLING_MS = 8_000;

/** The metric of each failure; RotationFailed if not listed. */
const METRIC_OF: Partial<Record<RotationFailure, RotationMetric>> = {
  candidate_missing: 'RotationCandidateMissing',
  candidate_refused: 'RotationRefused',
  could_not_test: 'RotationUntested',
};

/**
 * Expected: the schedule also fires for secrets that were never loaded, an operator may stage the current credential, and
 * Secrets Manager may repeat a rotation that has been given up.
 */
const NO_FAULTS: readonly RotationFailure[] = ['not_loaded', 'candidate_is_current', 'not_pending'];

export interface RotationPorts extends SecretPorts {
  proof: CredentialProof;
  log: Log;
  metrics: Metrics;
  countedRuns: CountedRuns;
  /** Absent if the deployment sends no events. */
  events?: ChangeEvents | undefined;
}

/**
 * Runs one step of a rotation. Each step is idempotent, and can be retried after it was interrupted anywhere. Only a
 * credential that the platform has accepted becomes current.
 * @param deadlineMs by the monotonic clock
 * @throws {RotationError}
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
export async function rotate(ports: RotationPorts, event: unknown, deadlineMs: number): Promise<void> {
  const { log, metrics, countedRuns, events } = ports;
  let fields: LogFields = {};
  let count = (outcome: RotationMetric) => metrics.count(outcome);
  try {
    const request = parseRotationEvent(event);
    count = (outcome) => countedRuns.count(request.ClientRequestToken, outcome, metrics);
    fields = { step: request.Step };
    const secret = await SecretInRotation.open(ports, request, deadlineMs);
    fields = { ...fields, tenantId: secret.tenant.tenantId, credential: secret.kind };
    await doStep(request, secret, {
      test: () => testSecret(secret, ports, deadlineMs - LABELLING_MS),
      promoted: () => {
        count('RotationSucceeded');
        events?.credentialChanged('Credential Rotated', secret.toChange());
      },
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
  const isCurrent = secret.hasLabel('AWSCURRENT');
  if (!isCurrent && !secret.hasLabel('AWSPENDING')) {
    const message = `version ${secret.versionId} of ${secret.name} is not pending; run ${secret.advice.rotate}`;
    throw new RotationError('not_pending', message);
  }
  if (!isCurrent && secret.hasLabel('AWSPREVIOUS')) throw await superseded(secret);
  switch (Step) {
    case 'createSecret':
      return isCurrent ? undefined : createSecret(secret);
    case 'setSecret':
      // Nothing to set: the platform issued the credential before it was staged.
      return;
    case 'testSecret':
      return isCurrent ? undefined : test();
    case 'finishSecret':
      if (!isCurrent) await promote(secret);
      // Counts as success now: the remaining steps only clean up, and may fail.
      promoted();
      return releaseLabels(secret);
  }
}

/** A promoted version that stayed pending, and was then replaced by hand: to promote it again would undo that. */
async function superseded(secret: SecretInRotation): Promise<RotationError> {
  await secret.endRotation();
  const message = `version ${secret.versionId} of ${secret.name} was current and has been replaced, so it is no longer pending; run ${secret.advice.rotate}`;
  return new RotationError('not_pending', message);
}

function unavailable(cause: StoreError): RotationError {
  const message = `${cause.message}; Secrets Manager retries the rotation`;
  return new RotationError('store_unavailable', message, { cause });
}
