import {
  CANDIDATE_LABEL,
  OUTCOME_LABELS,
  PROVEN_LABEL,
  REFUSED_LABEL,
  UNTESTED_LABEL,
} from '../contract/credential-labels';
import { type CredentialState, type SnapshotVersion } from '../contract/deployment-snapshot';
import { ROTATION_MAY_RUN_SEC } from '../contract/rotation';
import { type CredentialKind } from '../contract/secret-names';
import { CREDENTIAL_NAMES } from './describe';
import { type Fix, type Found, type RuleContext } from './finding';
import { spanText } from './times';
import { ageMs, isOlder, versionWith } from './versions';

type Rotating = CredentialState & { kind: CredentialKind; secretId: string };

/**
 * What is to be said of a credential's rotation, by its staging labels alone: at most one thing, the one to be mended
 * first. What the pending version stands for comes before the candidate, for it stops every rotation.
 *
 * Each fix leads to a state with fewer labels or to a rotation that ends, so that mending again and again ends clean:
 * - refused: the pending version is cleared, and with it the candidate that it is a copy of, which is the older one;
 *   a candidate that came later stays, and is waiting;
 * - untested: rotated again, which clears the pending version first; without a candidate only cleared;
 * - left behind: cleared, after which a candidate that was not promoted is waiting;
 * - waiting: rotated, which ends as promoted, refused, untested or left behind.
 */
export function rotationFinding(credential: Rotating, context: RuleContext): Found | undefined {
  const { versions } = credential;
  const current = versionWith(versions, 'AWSCURRENT');
  const pending = versionWith(versions, 'AWSPENDING');
  const candidate = versionWith(versions, CANDIDATE_LABEL);
  // The schedule fires for what was never loaded too, and there it means nothing.
  if (current === undefined && candidate === undefined) return undefined;
  // AWS's own end state: the label may stay on the version that was promoted.
  if (pending !== undefined && pending !== current) {
    return pendingFinding(credential, pending, candidate, context);
  }
  if (candidate === undefined) return undefined;
  return candidate === current || candidate.labels.includes('AWSPREVIOUS') || isPromoted(candidate, current)
    ? candidateLeftBehind(credential, candidate, context)
    : candidateWaiting(credential, candidate, context);
}

function pendingFinding(
  credential: Rotating,
  pending: SnapshotVersion,
  candidate: SnapshotVersion | undefined,
  context: RuleContext,
): Found | undefined {
  // A proof stands: the label of an earlier test may be left where the function was stopped between the two.
  const outcome = OUTCOME_LABELS.find((label) => pending.labels.includes(label));
  if (outcome === REFUSED_LABEL) return candidateRefused(credential, pending, candidate, context);
  if (outcome === UNTESTED_LABEL) return candidateUntested(credential, pending, candidate, context);
  // A younger one may be that of a run that is going on.
  if (ageMs(pending, context.nowMs) <= ROTATION_MAY_RUN_SEC * 1000) return undefined;
  const name = CREDENTIAL_NAMES[credential.kind];
  const reached =
    outcome === PROVEN_LABEL
      ? 'was accepted by the platform and never became current'
      : 'was never tested, as when nothing was staged at the time of the schedule';
  return {
    kind: 'pending_left_behind',
    severity: 'warning',
    message: `A rotation of the ${name} stopped: its version of ${pending.createdAt} ${reached}.`,
    meaning: 'Callers notice nothing; no further rotation can begin.',
    repair: { command: context.commands.fix(), fix: removal(credential, cleared(pending)) },
  };
}

function candidateRefused(
  credential: Rotating,
  pending: SnapshotVersion,
  candidate: SnapshotVersion | undefined,
  { commands }: RuleContext,
): Found {
  const { kind } = credential;
  const copied: VersionLabels[] =
    candidate !== undefined && isOlder(candidate, pending)
      ? [{ versionId: candidate.versionId, labels: [CANDIDATE_LABEL] }]
      : [];
  return {
    kind: 'candidate_refused',
    severity: 'warning',
    message: `The platform refused the new ${CREDENTIAL_NAMES[kind]}, so it did not become current.`,
    meaning: 'Callers notice nothing: the current one goes on; another one is wanted for the rotation.',
    repair: {
      command: commands.load(kind),
      // The candidate first: should it end there, the pending version still tells of the refusal.
      fix: removal(credential, ...copied, cleared(pending)),
    },
  };
}

function candidateUntested(
  credential: Rotating,
  pending: SnapshotVersion,
  candidate: SnapshotVersion | undefined,
  { commands }: RuleContext,
): Found {
  const { kind, versions } = credential;
  const canRotate = candidate !== undefined && candidate !== versionWith(versions, 'AWSCURRENT');
  return {
    kind: 'candidate_untested',
    severity: 'warning',
    message: `The platform gave no usable answer to the new ${CREDENTIAL_NAMES[kind]}, so it did not become current.`,
    meaning: 'Callers notice nothing: the current one goes on.',
    repair: canRotate
      ? { command: commands.rotate(kind), fix: { action: 'rotate', credential: kind } }
      : { command: commands.fix(), fix: removal(credential, cleared(pending)) },
  };
}

function candidateLeftBehind(
  credential: Rotating,
  candidate: SnapshotVersion,
  { commands }: RuleContext,
): Found {
  const why = candidate.labels.includes('AWSPREVIOUS')
    ? 'the previous version was to come back and did not'
    : 'what it marks is current already';
  return {
    kind: 'candidate_left_behind',
    severity: 'warning',
    message: `The ${CREDENTIAL_NAMES[credential.kind]} has a candidate label that was left behind: ${why}.`,
    meaning: 'Callers notice nothing; the next rotation would take a version that nobody wants.',
    repair: {
      command: commands.fix(),
      fix: removal(credential, { versionId: candidate.versionId, labels: [CANDIDATE_LABEL] }),
    },
  };
}

function candidateWaiting(
  { kind }: Rotating,
  candidate: SnapshotVersion,
  { nowMs, commands }: RuleContext,
): Found | undefined {
  const waitingMs = ageMs(candidate, nowMs);
  // A younger one may be that of a command that is still at work.
  if (waitingMs <= ROTATION_MAY_RUN_SEC * 1000) return undefined;
  return {
    kind: 'candidate_waiting',
    severity: 'warning',
    message: `A new ${CREDENTIAL_NAMES[kind]} has been staged for ${spanText(waitingMs)}, and nobody rotated to it.`,
    meaning: 'Callers notice nothing: the current one goes on.',
    repair: { command: commands.rotate(kind), fix: { action: 'rotate', credential: kind } },
  };
}

/** A rotation promotes a copy, which is younger than its candidate; one that is younger still was staged afterwards. */
function isPromoted(candidate: SnapshotVersion, current: SnapshotVersion | undefined): boolean {
  return current !== undefined && isOlder(candidate, current);
}

type VersionLabels = Extract<Fix, { action: 'remove_labels' }>['versions'][number];

/** AWSPENDING first: a version without an outcome would be taken for that of a run that is going on. */
function cleared({ versionId, labels }: SnapshotVersion): VersionLabels {
  return { versionId, labels: ['AWSPENDING', ...OUTCOME_LABELS.filter((label) => labels.includes(label))] };
}

function removal({ secretId }: Rotating, ...versions: VersionLabels[]): Fix {
  return { action: 'remove_labels', secretId, versions };
}
