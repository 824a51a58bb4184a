import {
  CANDIDATE_LABEL,
  lackedTokenTypes,
  OUTCOME_LABELS,
  PROVEN_LABEL,
  REFUSED_LABEL,
  testLabelsIn,
  UNTESTED_LABEL,
} from '../secrets/credential-labels';
import { type CredentialState, type SnapshotVersion } from '../deployment/deployment-snapshot';
import { ROTATION_MAY_RUN_SEC } from '../rotation/rotation';
import { type CredentialKind } from '../secrets/secret-names';
import { CREDENTIAL_NAMES } from './describe';
import { type Fix, type FindingDetails, type RuleContext } from './finding';
import { spanText } from './times';
import { ageMs, isOlder, versionWith } from './versions';
import { tokenNames } from '../tokens/token-key';

/** A credential whose secret could be read. */
type ReadableCredential = CredentialState & { kind: CredentialKind; secretId: string };

/**
 * The finding about a credential's rotation, from its staging labels alone: at most one, the one to fix first. A pending
 * version comes before a candidate, because it blocks every rotation.
 *
 * Each fix removes labels or completes a rotation, so repeated fixes converge:
 * - refused: clears the failed version and the older candidate that it copies; a newer candidate stays, waiting
 * - untested: rotates again, which clears the pending version first; without a candidate, only clears
 * - left behind: clears, after which a candidate that was not promoted is waiting
 * - waiting: rotates, which ends as promoted, refused, untested or left behind
 */
export function rotationFinding(
  credential: ReadableCredential,
  context: RuleContext,
): FindingDetails | undefined {
  const { versions } = credential;
  const current = versionWith(versions, 'AWSCURRENT');
  const pending = versionWith(versions, 'AWSPENDING');
  const candidate = versionWith(versions, CANDIDATE_LABEL);
  // The rotation schedule also fires for secrets that were never loaded.
  if (current === undefined && candidate === undefined) return undefined;
  // Secrets Manager may leave AWSPENDING on the promoted version.
  if (pending !== undefined && pending !== current) {
    return pendingFinding(credential, pending, candidate, context);
  }
  if (candidate === undefined) return undefined;
  if (candidate === current || candidate.labels.includes('AWSPREVIOUS') || isPromoted(candidate, current)) {
    return candidateLeftBehind(credential, candidate, context);
  }
  // A failed rotation of this candidate that is no longer pending keeps its outcome.
  const failed = versions.find((each) => isOlder(candidate, each) && hasFailed(each));
  return failed === undefined
    ? candidateWaiting(credential, candidate, context)
    : failureFinding(credential, failed, candidate, context);
}

function pendingFinding(
  credential: ReadableCredential,
  pending: SnapshotVersion,
  candidate: SnapshotVersion | undefined,
  context: RuleContext,
): FindingDetails | undefined {
  if (hasFailed(pending)) return failureFinding(credential, pending, candidate, context);
  // A younger one may belong to a running rotation.
  if (ageMs(pending, context.nowMs) <= ROTATION_MAY_RUN_SEC * 1000) return undefined;
  const name = CREDENTIAL_NAMES[credential.kind];
  return {
    kind: 'pending_left_behind',
    severity: 'warning',
    message: `A rotation of the ${name} stopped: its pending version, created at ${pending.createdAt}, ${progressOf(pending)}.`,
    meaning:
      'Callers are not affected, but no other rotation can start. Updates of its stack can fail until token-sweep clears it, a day after its start.',
    repair: { command: context.commands.fix(), fix: removal(credential, labelsToClear(pending)) },
  };
}

function progressOf({ labels }: SnapshotVersion): string {
  if (labels.includes(PROVEN_LABEL)) return 'was accepted by the issuer but never became current';
  if (labels.includes('AWSPREVIOUS')) {
    return 'was current until another value was written without a rotation';
  }
  return 'was never tested';
}

/** The outcome of a version's last test. LATCHKEY_PROVEN wins: a crash between two label moves can leave an earlier one. */
function outcomeOf({ labels }: SnapshotVersion): string | undefined {
  return OUTCOME_LABELS.find((label) => labels.includes(label));
}

function hasFailed(version: SnapshotVersion): boolean {
  return [REFUSED_LABEL, UNTESTED_LABEL].some((label) => label === outcomeOf(version));
}

function failureFinding(
  credential: ReadableCredential,
  failed: SnapshotVersion,
  candidate: SnapshotVersion | undefined,
  context: RuleContext,
): FindingDetails {
  return outcomeOf(failed) === REFUSED_LABEL
    ? candidateRefused(credential, failed, candidate, context)
    : candidateUntested(credential, failed, candidate, context);
}

function candidateRefused(
  credential: ReadableCredential,
  failed: SnapshotVersion,
  candidate: SnapshotVersion | undefined,
  { commands }: RuleContext,
): FindingDetails {
  const { kind } = credential;
  const lacks = lackedTokenTypes(failed.labels);
  const copied: VersionLabels[] =
    candidate !== undefined && isOlder(candidate, failed)
      ? [{ versionId: candidate.versionId, labels: [CANDIDATE_LABEL] }]
      : [];
  return {
    kind: 'candidate_refused',
    severity: 'warning',
    message:
      lacks.length === 0
        ? `The issuer refused the new ${CREDENTIAL_NAMES[kind]}, so it was not promoted.`
        : `The new ${CREDENTIAL_NAMES[kind]} lacks ${tokenNames(lacks)}, so it was not promoted.`,
    meaning: 'Callers are not affected: they keep using the current one. The rotation needs another new one.',
    repair: {
      ...(lacks.length > 0 && { remedy: `Ask the issuer’s support for one with ${tokenNames(lacks)}:` }),
      command: commands.load(kind),
      // The candidate first: if the fix is interrupted, the failed version still records the refusal.
      fix: removal(credential, ...copied, labelsToClear(failed)),
    },
  };
}

function candidateUntested(
  credential: ReadableCredential,
  failed: SnapshotVersion,
  candidate: SnapshotVersion | undefined,
  { commands }: RuleContext,
): FindingDetails {
  const { kind, versions } = credential;
  const canRotate = candidate !== undefined && candidate !== versionWith(versions, 'AWSCURRENT');
  return {
    kind: 'candidate_untested',
    severity: 'warning',
    message: `The issuer gave no usable answer about the new ${CREDENTIAL_NAMES[kind]}, so it was not promoted.`,
    meaning: 'Callers are not affected: the current one stays in use.',
    repair: canRotate
      ? {
          remedy: 'When the issuer works again:',
          command: commands.rotate(kind),
          fix: { action: 'rotate', credential: kind },
        }
      : { command: commands.fix(), fix: removal(credential, labelsToClear(failed)) },
  };
}

function candidateLeftBehind(
  credential: ReadableCredential,
  candidate: SnapshotVersion,
  { commands }: RuleContext,
): FindingDetails {
  const why = candidate.labels.includes('AWSPREVIOUS')
    ? 'a rollback to the previous version did not complete'
    : 'the version it marks is already current';
  return {
    kind: 'candidate_left_behind',
    severity: 'warning',
    message: `The ${CREDENTIAL_NAMES[credential.kind]} has a leftover candidate label: ${why}.`,
    meaning: 'Callers are not affected, but the next rotation would promote a version that nobody wants.',
    repair: {
      command: commands.fix(),
      fix: removal(credential, { versionId: candidate.versionId, labels: [CANDIDATE_LABEL] }),
    },
  };
}

function candidateWaiting(
  { kind }: ReadableCredential,
  candidate: SnapshotVersion,
  { nowMs, commands }: RuleContext,
): FindingDetails | undefined {
  const waitingMs = ageMs(candidate, nowMs);
  // A command may still be working on a younger one.
  if (waitingMs <= ROTATION_MAY_RUN_SEC * 1000) return undefined;
  return {
    kind: 'candidate_waiting',
    severity: 'warning',
    message: `A new ${CREDENTIAL_NAMES[kind]} has been staged for ${spanText(waitingMs)} without being promoted.`,
    meaning: 'Callers are not affected: the current one stays in use.',
    repair: { command: commands.rotate(kind), fix: { action: 'rotate', credential: kind } },
  };
}

/** A rotation promotes a copy, which is newer than its candidate; a candidate newer than that was staged afterwards. */
function isPromoted(candidate: SnapshotVersion, current: SnapshotVersion | undefined): boolean {
  return current !== undefined && isOlder(candidate, current);
}

type VersionLabels = Extract<Fix, { action: 'remove_labels' }>['versions'][number];

/** AWSPENDING first: a pending version without an outcome looks like a running rotation. */
function labelsToClear({ versionId, labels }: SnapshotVersion): VersionLabels {
  const pending = labels.includes('AWSPENDING') ? (['AWSPENDING'] as const) : [];
  return { versionId, labels: [...pending, ...testLabelsIn(labels)] };
}

function removal({ secretId }: ReadableCredential, ...versions: VersionLabels[]): Fix {
  return { action: 'remove_labels', secretId, versions };
}
