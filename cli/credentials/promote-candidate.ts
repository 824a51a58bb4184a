import { randomUUID } from 'node:crypto';

import { CANDIDATE_LABEL, lackedTokenTypes, REFUSED_LABEL } from '../../core/secrets/credential-labels';
import { type TokenType } from '../../core/tokens/token-key';
import { isUnavailable, retryWhileUnavailable } from '../call-aws';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { type Progress } from '../terminal';
import { type LabeledSecret, labelsOf, outcomeOf, type SecretState } from './labeled-secret';
import { clearEndedRotation, hasFailed } from './pending-version';

const POLL_MS = 1_000;
const MAX_WAIT_MS = 3 * 60 * 1000;
/** Rotations to wait for: other people's rotations may run before ours. */
const MAX_ROTATIONS = 3;
/** finishSecret removes the candidate's label right after the promotion. */
const MAX_POLLS_FOR_LABEL = 5;
const ROTATING = 'Rotating: rotate-credentials tests the new one and promotes it';
const WAITING = 'Waiting for a rotation that was already running';

/** What became of the candidate. */
export type Promotion =
  | { kind: 'promoted'; versionId: string; previousVersionId: string | undefined }
  | { kind: 'nothing_staged' }
  /** The candidate was already current. */
  | { kind: 'unchanged' }
  /** The issuer refused the candidate, which stays staged. `lacks`: the token types not granted, if others were. */
  | { kind: 'refused'; lacks: TokenType[] }
  /** The issuer gave no usable answer; the candidate stays staged. */
  | { kind: 'untested' }
  /** Someone staged another candidate. */
  | { kind: 'replaced' }
  /** The rotation may still be running. */
  | { kind: 'unfinished'; reason: 'time' | 'interrupted' };

/** Where a rotation stands. `not_promoted`: it has ended, and the candidate needs another one. */
type RotationStatus = Promotion | { kind: 'running' } | { kind: 'not_promoted' };

/** A rotation, identified by its version. */
interface Rotation {
  versionId: string;
  candidateId: string;
  /** Whether this command started it. Only then is it certain that it copied our candidate. */
  isOwn: boolean;
  /** The version that was current before the first rotation. */
  currentBefore: string | undefined;
}

/**
 * Starts a rotation that promotes the candidate, and waits up to three minutes for the outcome. If another rotation is
 * running, waits for that one first.
 * @throws {CommandError} if AWS refuses or is unreachable; the candidate stays staged
 */
export async function promoteCandidate(
  context: CommandContext,
  secret: LabeledSecret,
  progress: Progress,
): Promise<Promotion> {
  const deadlineMs = context.nowMs() + MAX_WAIT_MS;
  const uninterrupted = secret.uninterrupted();
  const requestedIds = new Set<string>();
  let currentBefore: string | undefined;
  for (let rotations = 0; rotations < MAX_ROTATIONS; rotations += 1) {
    if (context.terminal.interrupted.aborted) return { kind: 'unfinished', reason: 'interrupted' };
    const state = await retryWhileUnavailable(context, () => uninterrupted.describe());
    if (rotations === 0) currentBefore = state.versionWith.AWSCURRENT;
    const promotion = promotionWithoutRotation(state, currentBefore);
    if (promotion?.kind === 'unchanged') await removeCandidateLabel(secret, state);
    if (promotion !== undefined) return promotion;
    // AWS's answer to a request may be lost, so each id is kept.
    const requestedId = randomUUID();
    requestedIds.add(requestedId);
    const versionId = await startRotation(context, uninterrupted, state, requestedId);
    if (versionId === undefined) continue;
    const isOwn = requestedIds.has(versionId);
    progress.update(isOwn ? ROTATING : WAITING);
    const candidateId = state.versionWith[CANDIDATE_LABEL]!;
    const rotation = { versionId, candidateId, isOwn, currentBefore };
    const status = await awaitRotation(context, secret, rotation, deadlineMs);
    if (status.kind !== 'not_promoted') return status;
  }
  return { kind: 'unfinished', reason: 'time' };
}

/**
 * Starts a rotation, and returns the version of the rotation that now runs: this one, or one that was already running.
 * Returns undefined if the other one has just ended.
 */
async function startRotation(
  context: CommandContext,
  secret: LabeledSecret,
  state: SecretState,
  requestedId: string,
): Promise<string | undefined> {
  await clearEndedRotation(context, secret, state);
  const outcome = await retryWhileUnavailable(context, () => secret.rotate(requestedId));
  if (outcome === 'started') return requestedId;
  const { isRotated, versionWith } = await retryWhileUnavailable(context, () => secret.describe());
  if (!isRotated) {
    throw new CommandError(EXIT.failed, 'not_rotated', `rotation is not configured for this ${secret.kind}`, {
      advice: `Deploy its stack: npx cdk deploy '${secret.chosen.deployment.stackName}*'`,
    });
  }
  const { AWSPENDING: pending, AWSCURRENT: current } = versionWith;
  if (pending !== undefined && pending !== current) return pending;
  // The label changes may not be visible everywhere at AWS yet.
  await context.sleep(POLL_MS).catch(() => undefined);
  return undefined;
}

/** Waits until a rotation has ended, and no longer than the deadline. Removes the label that a promotion has left. */
async function awaitRotation(
  context: CommandContext,
  secret: LabeledSecret,
  rotation: Rotation,
  deadlineMs: number,
): Promise<Exclude<RotationStatus, { kind: 'running' }>> {
  let pollsForLabel = 0;
  while (context.nowMs() < deadlineMs) {
    const state = await nextState(context, secret);
    if (state === 'interrupted') return { kind: 'unfinished', reason: 'interrupted' };
    if (state === 'unavailable') continue;
    if (isLabelLeft(state, rotation)) {
      pollsForLabel += 1;
      if (pollsForLabel < MAX_POLLS_FOR_LABEL) continue;
      if (rotation.isOwn) await removeCandidateLabel(secret, state);
    }
    const status = rotationStatus(state, rotation);
    if (status.kind !== 'running') return status;
  }
  return { kind: 'unfinished', reason: 'time' };
}

/** Whether the rotation's version is current, and the candidate still has its label. */
function isLabelLeft({ versionWith }: SecretState, { versionId, candidateId }: Rotation): boolean {
  return versionWith.AWSCURRENT === versionId && versionWith[CANDIDATE_LABEL] === candidateId;
}

/** Where a rotation stands, from the labels. */
function rotationStatus(state: SecretState, rotation: Rotation): RotationStatus {
  const { AWSCURRENT: current, AWSPREVIOUS: previous, AWSPENDING: pending } = state.versionWith;
  const { [CANDIDATE_LABEL]: staged } = state.versionWith;
  const { versionId, candidateId, isOwn, currentBefore } = rotation;
  if (current === versionId) {
    // A promoted candidate loses its label. That is the only sign if someone else started the rotation.
    if (isOwn || staged === undefined) return promoted(state);
    return { kind: staged === candidateId ? 'not_promoted' : 'replaced' };
  }
  // The rotation found that the candidate's value was already current, and moved the label to that version.
  if (staged !== undefined && staged === current) return { kind: 'not_promoted' };
  if (staged !== undefined && staged !== candidateId) return { kind: 'replaced' };
  if (staged === undefined) {
    // Our rotation promoted the candidate, and a later one promoted another.
    if (isOwn && previous === versionId) return { kind: 'replaced' };
    if (current !== currentBefore) return promoted(state);
  }
  if (hasFailed(state, versionId)) return isOwn ? failure(state, versionId) : { kind: 'not_promoted' };
  return { kind: pending === versionId ? 'running' : 'not_promoted' };
}

function failure(state: SecretState, versionId: string): Promotion {
  return outcomeOf(state, versionId) === REFUSED_LABEL
    ? { kind: 'refused', lacks: lackedTokenTypes(labelsOf(state, versionId)) }
    : { kind: 'untested' };
}

/** What the labels say without a rotation; undefined if the candidate needs one. */
function promotionWithoutRotation(
  state: SecretState,
  currentBefore: string | undefined,
): Promotion | undefined {
  const { AWSCURRENT: current, [CANDIDATE_LABEL]: candidateId } = state.versionWith;
  if (candidateId !== undefined) return candidateId === current ? { kind: 'unchanged' } : undefined;
  // A candidate that is gone was either promoted or removed.
  return current === currentBefore ? { kind: 'nothing_staged' } : promoted(state);
}

async function removeCandidateLabel(secret: LabeledSecret, { versionWith }: SecretState): Promise<void> {
  await secret.moveLabel(CANDIDATE_LABEL, { from: versionWith[CANDIDATE_LABEL]! });
}

function promoted({ versionWith }: SecretState): Promotion {
  return {
    kind: 'promoted',
    versionId: versionWith.AWSCURRENT!,
    previousVersionId: versionWith.AWSPREVIOUS,
  };
}

async function nextState(
  context: CommandContext,
  secret: LabeledSecret,
): Promise<SecretState | 'interrupted' | 'unavailable'> {
  try {
    await context.sleep(POLL_MS);
    return await secret.describe();
  } catch (error) {
    if (context.terminal.interrupted.aborted) return 'interrupted';
    if (isUnavailable(error)) return 'unavailable';
    throw error;
  }
}
