import { type DeploymentFile } from '../deployment/deployment-file';
import { type CredentialSnapshot, type CredentialState } from '../deployment/deployment-snapshot';
import { SWEEP_INTERVAL_SEC } from '../tokens/lifetimes';
import { type CredentialKind } from '../secrets/secret-names';
import { accessFinding } from './access-findings';
import { CREDENTIAL_NAMES } from './describe';
import { type FindingDetails, type RuleContext } from './finding';
import { rotationFinding } from './rotation-findings';
import { spanText, timeMs } from './times';
import { currentForMs, versionWith } from './versions';

const DAY_MS = 86_400_000;
const SERVED = 'The key that was proven before it still opens the restore API.';
/** How long a key that was just written may stay unproven. */
const TWO_PROOFS_MS = 2 * SWEEP_INTERVAL_SEC * 1000;
/** A rotation is due this long before the maximum age: enough time to get a credential from support. */
const NOTICE_DAYS = 14;

/**
 * The findings about one credential: whether it is loaded and proven, when it expires or is due, how its last rotation ended, and
 * whether it is rotated on the configured schedule.
 */
export function credentialFindings(
  credential: CredentialSnapshot,
  {
    credentials: { maxAgeDays, rotationSchedule },
    restoreApi,
  }: Pick<DeploymentFile, 'credentials' | 'restoreApi'>,
  context: RuleContext,
): FindingDetails[] {
  const { kind } = credential;
  if (credential.access !== 'ok') {
    return [{ ...accessFinding(credential, CREDENTIAL_NAMES[kind], context), credential: kind }];
  }
  const isLoaded = versionWith(credential.versions, 'AWSCURRENT') !== undefined;
  // A key that expires soon gets no age finding: the same command fixes both.
  const stateFinding = isLoaded
    ? ((kind === 'api-key' ? expiryFinding(credential, context) : undefined) ??
      ageFinding(credential, maxAgeDays, context))
    : neverLoaded(kind, context);
  const needsProof = restoreApi.acceptsApiKeys === true && stateFinding?.kind !== 'api_key_expired';
  return [
    needsProof ? proofFinding(credential, context) : undefined,
    stateFinding,
    rotationFinding(credential, context),
    rotationScheduleFinding(credential, rotationSchedule, context),
  ].flatMap((finding) => (finding === undefined ? [] : [{ ...finding, credential: kind }]));
}

function neverLoaded(kind: CredentialKind, { commands }: RuleContext): FindingDetails {
  return {
    kind: 'never_loaded',
    severity: 'info',
    message: `The ${CREDENTIAL_NAMES[kind]} has never been loaded.`,
    meaning:
      kind === 'api-key'
        ? 'Callers cannot use HTTP Basic. Tokens are not affected.'
        : 'The tenant has no tokens, and no alarm notifies about it.',
    repair: { command: commands.load(kind) },
  };
}

/** A key that does not open the restore API. A new one is tried within minutes, so that is only a notice. */
function proofFinding(
  credential: CredentialState,
  { nowMs, commands }: RuleContext,
): FindingDetails | undefined {
  const { proof } = credential;
  if (proof === undefined || proof.current === 'proven') return undefined;
  const { isServed } = proof;
  const meaning = isServed ? SERVED : 'Callers that use HTTP Basic are refused.';
  if (proof.current === 'refused') {
    return {
      kind: 'credential_refused',
      severity: isServed ? 'warning' : 'critical',
      message: 'The platform refuses the current API key, or the secret holds no API key.',
      meaning,
      repair: { command: commands.load('api-key') },
    };
  }
  const isNew = (currentForMs(credential, nowMs) ?? Infinity) < TWO_PROOFS_MS;
  const repair = { command: commands.fix(), fix: { action: 'prove_key' } } as const;
  return {
    kind: 'credential_unproven',
    severity: isNew ? 'info' : isServed ? 'warning' : 'critical',
    message: 'The current API key has not been proven: nothing records that the platform accepts it.',
    meaning: `${meaning} Latchkey tries the current one every 5 minutes; the log of rotate-credentials says why that fails.`,
    repair,
  };
}

function expiryFinding(
  { validUntil, proof }: CredentialState,
  { nowMs, commands }: RuleContext,
): FindingDetails | undefined {
  const meaning =
    proof?.isServed === true && proof.current === 'refused'
      ? SERVED
      : 'Callers that use HTTP Basic are refused.';
  const repair = { command: commands.load('api-key') };
  const validUntilMs = timeMs(validUntil);
  const leftMs = validUntilMs === undefined ? undefined : validUntilMs - nowMs;
  if (leftMs === undefined || leftMs <= 0) {
    return {
      kind: 'api_key_expired',
      severity: 'critical',
      message:
        leftMs === undefined
          ? 'The API key secret holds no key with an expiry.'
          : `The API key expired at ${validUntil}.`,
      meaning,
      repair,
    };
  }
  if (leftMs > 30 * DAY_MS) return undefined;
  const isNear = leftMs <= 7 * DAY_MS;
  return {
    kind: isNear ? 'api_key_expiring_in_7_days' : 'api_key_expiring_in_30_days',
    severity: isNear ? 'critical' : 'warning',
    message: `The API key expires in ${spanText(leftMs)}, at ${validUntil}.`,
    meaning: 'Callers that use HTTP Basic are refused from then on.',
    repair,
  };
}

function ageFinding(
  credential: CredentialState & { kind: CredentialKind },
  maxAgeDays: number,
  { nowMs, commands }: RuleContext,
): FindingDetails | undefined {
  const ageMs = currentForMs(credential, nowMs);
  if (ageMs === undefined) return undefined;
  const { kind } = credential;
  const leftMs = maxAgeDays * DAY_MS - ageMs;
  if (leftMs > NOTICE_DAYS * DAY_MS) return undefined;
  const isOverdue = leftMs <= 0;
  const age = `current for ${spanText(ageMs)}; the maximum is ${maxAgeDays} days`;
  return {
    kind: isOverdue ? 'rotation_overdue' : 'rotation_due',
    severity: 'warning',
    message: `The rotation of the ${CREDENTIAL_NAMES[kind]} is ${isOverdue ? 'overdue' : 'due'}: it has been ${age}.`,
    meaning: 'Callers are not affected, but a leaked credential stays usable for too long.',
    repair: { command: commands.load(kind) },
  };
}

/**
 * CloudFormation does not remove the schedule of a secret, and does not notice one that was changed by hand.
 * @see https://github.com/aws/aws-cdk/issues/27460
 */
function rotationScheduleFinding(
  { kind, secretId, rotationSchedule }: CredentialState & { kind: CredentialKind; secretId: string },
  configured: string,
  { commands }: RuleContext,
): FindingDetails | undefined {
  if (rotationSchedule === undefined || rotationSchedule === configured) return undefined;
  const name = CREDENTIAL_NAMES[kind];
  const isOff = rotationSchedule === 'none';
  return {
    kind: 'rotation_schedule_differs',
    severity: 'warning',
    message: isOff
      ? `Secrets Manager does not rotate the ${name} on the configured schedule, ${configured}.`
      : `Secrets Manager rotates the ${name} on the schedule ${rotationSchedule}; configured: ${configured}.`,
    meaning: isOff
      ? 'Callers are not affected. A staged credential waits until a command rotates to it.'
      : 'Callers are not affected. A rotation that nobody has prepared fails, and may notify you.',
    repair: {
      remedy: 'The operator policy does not allow changing a schedule: ask an administrator of the account',
      command: commands.fix(),
      fix: { action: 'set_rotation_schedule', secretId, schedule: configured },
    },
  };
}
