import { randomUUID } from 'node:crypto';

import { CANDIDATE_LABEL, lackedTokenTypes, REFUSED_LABEL } from '../../core/secrets/credential-labels';
import { type TokenType } from '../../core/tokens/token-key';
import { isUnavailable, retryWhileUnavailable } from '../call-aws';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { type Progress } from '../terminal';
import { type LabeledSecret, labelsOf, outcomeOf, type SecretState } from './labeled-secret';
import { clearEndedRun, hasFailed } from './pending-version';

const POLL_MS = 1_000;
const LIMIT_MS = 3 * 60 * 1000;
/** Rotations to try: someone else's may end first, and another may come in between. */
const MAX_RUNS = 3;
/** finishSecret removes the candidate's label right after the promotion. */
const POLLS_FOR_LABEL = 5;

/** The outcome for the candidate. */
export type Promotion =
  | { kind: 'promoted'; versionId: string; previousVersionId: string | undefined }
  | { kind: 'nothing_staged' }
  /** The candidate was already current. */
  | { kind: 'unchanged' }
  /** The issuer refused the candidate, which stays staged. `lacks`: it works, but not for these tokens. */
  | { kind: 'refused'; lacks: TokenType[] }
  /** The issuer gave no usable answer; the candidate stays staged. */
  | { kind: 'untested' }
  /** Someone staged another candidate. */
  | { kind: 'replaced' }
  /** The rotation may still be running. */
  | { kind: 'unfinished'; reason: 'time' | 'interrupted' };

/** A rotation, identified by its version. */
interface Run {
  versionId: string;
  /** Whether this command started it, so that it copied our candidate. */
  isOwn: boolean;
  /** The version that was current before the first rotation. */
  currentBefore: string | undefined;
}

/**
 * Has Secrets Manager rotate to the candidate, and waits up to three minutes for the outcome. Waits for a running
 * rotation first.
 * @throws {CommandError} if AWS refuses or is unreachable; the candidate stays staged
 */
export async function promoteCandidate(
  context: CommandContext,
  secret: LabeledSecret,
  progress: Progress,
): Promise<Promotion> {
  const deadlineMs = context.nowMs() + LIMIT_MS;
  const uninterrupted = secret.uninterrupted();
  const own = new Set<string>();
  let currentBefore: string | undefined;
  for (let runs = 0; runs < MAX_RUNS; runs += 1) {
    if (context.terminal.interrupted.aborted) return { kind: 'unfinished', reason: 'interrupted' };
    const state = await retryWhileUnavailable(context, () => uninterrupted.describe());
    const candidate = state.versionWith[CANDIDATE_LABEL];
    if (runs === 0) currentBefore = state.versionWith.AWSCURRENT;
    if (candidate === undefined) return gone(state, currentBefore);
    if (candidate === state.versionWith.AWSCURRENT) {
      await secret.moveLabel(CANDIDATE_LABEL, { from: candidate });
      return { kind: 'unchanged' };
    }
    const versionId = await startRun(context, uninterrupted, state, own);
    if (versionId === undefined) {
      // The label changes may not be visible everywhere at AWS yet.
      await context.sleep(POLL_MS).catch(() => undefined);
      continue;
    }
    const run = { versionId, isOwn: own.has(versionId), currentBefore };
    progress.update(
      run.isOwn
        ? 'Rotating: rotate-credentials tests the new one and promotes it'
        : 'Waiting for a rotation that was already running',
    );
    const end = await awaitRun(context, secret, run, candidate, deadlineMs);
    if (end !== undefined) return end;
  }
  return { kind: 'unfinished', reason: 'time' };
}

/**
 * Starts a rotation, and returns the version of the one now running; undefined if the one in the way has just ended.
 * @param own collects the ids of the rotations requested here, because the answer to a first attempt may be lost
 */
async function startRun(
  context: CommandContext,
  secret: LabeledSecret,
  state: SecretState,
  own: Set<string>,
): Promise<string | undefined> {
  await clearEndedRun(context, secret, state);
  const versionId = randomUUID();
  own.add(versionId);
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

/** Returns undefined if the rotation ended without promoting the candidate, so that another one is needed. */
async function awaitRun(
  context: CommandContext,
  secret: LabeledSecret,
  run: Run,
  candidate: string,
  deadlineMs: number,
): Promise<Promotion | undefined> {
  let pollsForLabel = POLLS_FOR_LABEL;
  while (context.nowMs() < deadlineMs) {
    const state = await nextState(context, secret);
    if (state === 'interrupted') return { kind: 'unfinished', reason: 'interrupted' };
    if (state === 'unavailable') continue;
    const end = judge(state, run, candidate);
    if (end === 'not_taken') return undefined;
    if (end === 'label_left') {
      pollsForLabel -= 1;
      if (pollsForLabel > 0) continue;
      if (!run.isOwn) return undefined;
      await secret.moveLabel(CANDIDATE_LABEL, { from: candidate });
      return promoted(state);
    }
    if (end !== 'running') return end;
  }
  return { kind: 'unfinished', reason: 'time' };
}

/** What the labels say about a rotation of the candidate. */
function judge(
  state: SecretState,
  run: Run,
  candidate: string,
): Promotion | 'running' | 'label_left' | 'not_taken' {
  const { AWSCURRENT: current, AWSPREVIOUS: previous, AWSPENDING: pending } = state.versionWith;
  const staged = state.versionWith[CANDIDATE_LABEL];
  if (current === run.versionId) {
    if (staged === candidate) return 'label_left';
    // A promoted candidate loses its label; with someone else's rotation, that is all we know.
    return staged === undefined || run.isOwn ? promoted(state) : { kind: 'replaced' };
  }
  // The rotation found the value of the candidate current already, and moved its label there.
  if (staged !== undefined && staged === current) return 'not_taken';
  const isReplaced = run.isOwn && previous === run.versionId;
  if (staged === undefined ? isReplaced : staged !== candidate) return { kind: 'replaced' };
  if (staged === undefined && current !== run.currentBefore) return promoted(state);
  if (hasFailed(state, run.versionId)) {
    if (!run.isOwn) return 'not_taken';
    return outcomeOf(state, run.versionId) === REFUSED_LABEL
      ? { kind: 'refused', lacks: lackedTokenTypes(labelsOf(state, run.versionId)) }
      : { kind: 'untested' };
  }
  return pending === run.versionId ? 'running' : 'not_taken';
}

/** A candidate that is gone was either promoted or removed. */
function gone(state: SecretState, currentBefore: string | undefined): Promotion {
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
