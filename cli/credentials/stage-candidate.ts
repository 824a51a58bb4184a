import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { commandFor } from '../command-text';
import { EXIT } from '../exit-codes';
import { type CredentialSecret, type SecretState } from './credential-secret';
import { hasFailed } from './pending-version';

/** For so long, a candidate is taken for one that another operator is about to promote. */
const UNDER_WAY_MS = 5 * 60 * 1000;

export interface StageFlags {
  /** Takes the place of what another operator has just staged. */
  replace?: boolean;
}

/** @throws {CommandError} where another operator seems to be at it */
export async function requireNoneUnderWay(
  context: CommandContext,
  secret: CredentialSecret,
  state: SecretState,
  { replace = false }: StageFlags,
): Promise<void> {
  const candidate = state.versionWith[CANDIDATE_LABEL];
  if (replace || candidate === undefined || candidate === state.versionWith.AWSCURRENT) return;
  const stagedAtMs = await secret.createdAtMs(candidate);
  if (stagedAtMs === undefined) return;
  const ageMs = secret.awsTimeMs(context.nowMs()) - stagedAtMs;
  if (ageMs >= UNDER_WAY_MS || (await isTurnedDown(secret, state, stagedAtMs))) return;
  throw new CommandError(
    EXIT.failed,
    'candidate_under_way',
    `another ${secret.kind} was staged ${Math.max(0, Math.round(ageMs / 1000))} s ago (version ${candidate})`,
    {
      advice:
        `Somebody else may be loading it just now: ${commandFor(secret.chosen, 'status')} shows what became of it. ` +
        'To take its place, add --replace.',
    },
  );
}

/** @throws {CommandError} `conflict` of {@link writeVersion} in words */
export function stagedMeanwhile(secret: CredentialSecret): CommandError {
  return new CommandError(
    EXIT.failed,
    'changed_meanwhile',
    `somebody else has loaded or staged a ${secret.kind} at the same time; nothing was written`,
    {
      advice: `${commandFor(secret.chosen, 'status')} shows what is there. Then run this again if it is still wanted.`,
    },
  );
}

/** Whether a rotation has taken the candidate and failed; one that began before it was staged says nothing of it. */
async function isTurnedDown(
  secret: CredentialSecret,
  state: SecretState,
  stagedAtMs: number,
): Promise<boolean> {
  const pending = state.versionWith.AWSPENDING;
  if (pending === undefined || !hasFailed(state, pending)) return false;
  const begunAtMs = await secret.createdAtMs(pending);
  return begunAtMs !== undefined && begunAtMs >= stagedAtMs;
}
