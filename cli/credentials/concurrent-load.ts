import { CANDIDATE_LABEL, REFUSED_LABEL, UNTESTED_LABEL } from '../../core/secrets/credential-labels';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { tenantCommand } from '../command-text';
import { EXIT } from '../exit-codes';
import { type LabeledSecret, type SecretState } from './labeled-secret';
import { hasFailed } from './pending-version';
import { type FlagsOf } from '../options';

/** Within this time, another operator is assumed to be promoting the candidate. */
const UNDER_WAY_MS = 5 * 60 * 1000;

export type StageFlags = FlagsOf<'replace'>;

/** @throws {CommandError} if another operator seems to be loading a credential */
export async function requireNoneUnderWay(
  context: CommandContext,
  secret: LabeledSecret,
  state: SecretState,
  { replace = false }: StageFlags,
): Promise<void> {
  const candidate = state.versionWith[CANDIDATE_LABEL];
  if (replace || candidate === undefined || candidate === state.versionWith.AWSCURRENT) return;
  const stagedAtMs = await secret.createdAtMs(candidate);
  if (stagedAtMs === undefined) return;
  const ageMs = secret.awsTimeMs(context.nowMs()) - stagedAtMs;
  if (ageMs >= UNDER_WAY_MS || (await hasRotationFailed(secret, state, stagedAtMs))) return;
  throw new CommandError(
    EXIT.failed,
    'candidate_under_way',
    `another ${secret.kind} was staged ${Math.max(0, Math.round(ageMs / 1000))} s ago (version ${candidate})`,
    {
      advice:
        `Someone else may be loading it right now. To check: ${tenantCommand(secret.chosen, 'status')}\n` +
        'To replace it, add --replace.',
    },
  );
}

/** The error for a `conflict` of {@link writeVersion}. */
export function stagedMeanwhile(secret: LabeledSecret): CommandError {
  return new CommandError(
    EXIT.failed,
    'changed_meanwhile',
    `someone else loaded or staged a ${secret.kind} at the same time; nothing was written`,
    {
      advice: `See what is loaded: ${tenantCommand(secret.chosen, 'status')}\nThen run this command again if still needed.`,
    },
  );
}

/** Whether a rotation of this candidate has failed, judging only rotations that started after it was staged. */
async function hasRotationFailed(
  secret: LabeledSecret,
  state: SecretState,
  stagedAtMs: number,
): Promise<boolean> {
  for (const label of [REFUSED_LABEL, UNTESTED_LABEL] as const) {
    // A failed rotation may no longer be pending.
    const versionId = state.versionWith[label];
    if (versionId === undefined || !hasFailed(state, versionId)) continue;
    const begunAtMs = await secret.createdAtMs(versionId);
    if (begunAtMs !== undefined && begunAtMs >= stagedAtMs) return true;
  }
  return false;
}
