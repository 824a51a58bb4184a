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

/** A rotation, identified by its version. */
interface Rotation {
  versionId: string;
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
    const candidateId = state.versionWith[CANDIDATE_LABEL];
    if (rotations === 0) currentBefore = state.versionWith.AWSCURRENT;
    if (candidateId === undefined) return outcomeWithoutCandidate(state, currentBefore);
    if (candidateId === state.versionWith.AWSCURRENT) {
      await secret.moveLabel(CANDIDATE_LABEL, { from: candidateId });
      return { kind: 'unchanged' };
    }
    const versionId = await startRotation(context, uninterrupted, state, requestedIds);
    if (versionId === undefined) {
      // The label changes may not be visible everywhere at AWS yet.
      await context.sleep(POLL_MS).catch(() => undefined);
      continue;
    }
    const rotation = { versionId, isOwn: requestedIds.has(versionId), currentBefore };
    progress.update(
      rotation.isOwn
        ? 'Rotating: rotate-credentials tests the new one and promotes it'
        : 'Waiting for a rotation that was already running',
    );
    const promotion = await awaitRotation(context, secret, rotation, candidateId, deadlineMs);
    if (promotion !== undefined) return promotion;
  }
  return { kind: 'unfinished', reason: 'time' };
}

/**
 * Starts a rotation, and returns the version of the rotation that now runs: this one, or one that was already running.
 * Returns undefined if the other one has just ended.
 * @param requestedIds gets the version requested here, because AWS's answer to a first attempt may be lost
 */
async function startRotation(
  context: CommandContext,
  secret: LabeledSecret,
  state: SecretState,
  requestedIds: Set<string>,
): Promise<string | undefined> {
  await clearEndedRotation(context, secret, state);
  const versionId = randomUUID();
  requestedIds.add(versionId);
  const outcome = await retryWhileUnavailable(context, () => secret.rotate(versionId));
  if (outcome === 'started') return versionId;
  const { isRotated, versionWith } = await retryWhileUnavailable(context, () => secret.describe());
  if (!isRotated) {
    throw new CommandError(EXIT.failed, 'not_rotated', `rotation is not configured for this ${secret.kind}`, {
      advice: `Deploy its stack: npx cdk deploy '${secret.chosen.deployment.stackName}*'`,
    });
  }
  const { AWSPENDING: pending, AWSCURRENT: current } = versionWith;
  return pending === current ? undefined : pending;
}

/** Waits for the outcome. Returns undefined if the rotation ended without promoting the candidate, so that another is needed. */
async function awaitRotation(
  context: CommandContext,
  secret: LabeledSecret,
  rotation: Rotation,
  candidateId: string,
  deadlineMs: number,
): Promise<Promotion | undefined> {
  let pollsForLabel = MAX_POLLS_FOR_LABEL;
  while (context.nowMs() < deadlineMs) {
    const state = await nextState(context, secret);
    if (state === 'interrupted') return { kind: 'unfinished', reason: 'interrupted' };
    if (state === 'unavailable') continue;
    const status = rotationStatus(state, rotation, candidateId);
    if (status === 'not_promoted') return undefined;
    if (status === 'label_not_removed') {
      pollsForLabel -= 1;
      if (pollsForLabel > 0) continue;
      if (!rotation.isOwn) return undefined;
      await secret.moveLabel(CANDIDATE_LABEL, { from: candidateId });
      return promoted(state);
    }
    if (status !== 'running') return status;
  }
  return { kind: 'unfinished', reason: 'time' };
}

/** Where a rotation stands, from the labels. */
function rotationStatus(
  state: SecretState,
  rotation: Rotation,
  candidateId: string,
): Promotion | 'running' | 'label_not_removed' | 'not_promoted' {
  const { AWSCURRENT: current, AWSPREVIOUS: previous, AWSPENDING: pending } = state.versionWith;
  const staged = state.versionWith[CANDIDATE_LABEL];
  if (current === rotation.versionId) {
    if (staged === candidateId) return 'label_not_removed';
    // A promoted candidate loses its label. That is the only sign if someone else started the rotation.
    return staged === undefined || rotation.isOwn ? promoted(state) : { kind: 'replaced' };
  }
  // The rotation found that the candidate's value was already current, and moved the label to that version.
  if (staged !== undefined && staged === current) return 'not_promoted';
  if (staged !== undefined && staged !== candidateId) return { kind: 'replaced' };
  if (staged === undefined) {
    // Our rotation promoted the candidate, and a later one promoted another.
    if (rotation.isOwn && previous === rotation.versionId) return { kind: 'replaced' };
    if (current !== rotation.currentBefore) return promoted(state);
  }
  if (hasFailed(state, rotation.versionId))
    return rotation.isOwn ? failure(state, rotation.versionId) : 'not_promoted';
  return pending === rotation.versionId ? 'running' : 'not_promoted';
}

function failure(state: SecretState, versionId: string): Promotion {
  return outcomeOf(state, versionId) === REFUSED_LABEL
    ? { kind: 'refused', lacks: lackedTokenTypes(labelsOf(state, versionId)) }
    : { kind: 'untested' };
}

/** A candidate that is gone was either promoted or removed. */
function outcomeWithoutCandidate(state: SecretState, currentBefore: string | undefined): Promotion {
  return state.versionWith.AWSCURRENT === currentBefore ? { kind: 'nothing_staged' } : promoted(state);
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
