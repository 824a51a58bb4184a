import { REFUSED_LABEL, UNTESTED_LABEL } from '../../contract/credential-labels';
import { ROTATION_MAY_RUN_SEC } from '../../contract/rotation';
import { type CommandContext } from '../command';
import { type CredentialSecret, outcomeOf, type SecretState } from './credential-secret';

/** Whether the last test of a version ended badly, and with it the run that it is of. */
export function hasFailed(state: SecretState, versionId: string): boolean {
  const outcome = outcomeOf(state, versionId);
  return outcome === REFUSED_LABEL || outcome === UNTESTED_LABEL;
}

/**
 * Takes AWSPENDING and the outcome off the version of a run that ended without a promotion: Secrets Manager would try
 * that very value again before any other. The version of a run that may be going on is left alone.
 * @throws {CommandError}
 */
export async function clearEndedRun(
  context: CommandContext,
  secret: CredentialSecret,
  state: SecretState,
): Promise<void> {
  const { AWSPENDING: pending, AWSCURRENT: current } = state.versionWith;
  if (pending === undefined || pending === current) return;
  const outcome = outcomeOf(state, pending);
  const isEnded =
    outcome === undefined ? await isLeftBehind(context, secret, pending) : hasFailed(state, pending);
  if (!isEnded) return;
  // In this order: with the outcome gone first, an interrupted repair would look like a running rotation.
  await secret.moveLabel('AWSPENDING', { from: pending });
  if (outcome !== undefined) await secret.moveLabel(outcome, { from: pending });
}

async function isLeftBehind(
  context: CommandContext,
  secret: CredentialSecret,
  versionId: string,
): Promise<boolean> {
  const createdAtMs = await secret.createdAtMs(versionId);
  if (createdAtMs === undefined) return false;
  return secret.awsTimeMs(context.nowMs()) - createdAtMs >= ROTATION_MAY_RUN_SEC * 1000;
}
