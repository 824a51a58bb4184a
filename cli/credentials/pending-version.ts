import { REFUSED_LABEL, testLabelsIn, UNTESTED_LABEL } from '../../core/secrets/credential-labels';
import { ROTATION_MAY_RUN_SEC } from '../../core/rotation/rotation';
import { type CommandContext } from '../command';
import { type LabeledSecret, labelsOf, outcomeOf, type SecretState } from './labeled-secret';

/** Whether a version's last test failed, which ends its rotation. */
export function hasFailed(state: SecretState, versionId: string): boolean {
  const outcome = outcomeOf(state, versionId);
  return outcome === REFUSED_LABEL || outcome === UNTESTED_LABEL;
}

/**
 * Removes AWSPENDING and the outcome label from a rotation that ended without a promotion; otherwise Secrets Manager
 * would retry that version before any other. Leaves a rotation alone that may still be running.
 * @throws {CommandError}
 */
export async function clearEndedRotation(
  context: CommandContext,
  secret: LabeledSecret,
  state: SecretState,
): Promise<void> {
  const { AWSPENDING: pending, AWSCURRENT: current } = state.versionWith;
  if (pending === undefined || pending === current) return;
  const outcome = outcomeOf(state, pending);
  const isEnded =
    outcome === undefined ? await isLeftBehind(context, secret, pending) : hasFailed(state, pending);
  if (!isEnded) return;
  // AWSPENDING first: a pending version without an outcome looks like a running rotation.
  await secret.moveLabel('AWSPENDING', { from: pending });
  const left = testLabelsIn(labelsOf(state, pending));
  for (const label of left) await secret.moveLabel(label, { from: pending });
}

async function isLeftBehind(
  context: CommandContext,
  secret: LabeledSecret,
  versionId: string,
): Promise<boolean> {
  const createdAtMs = await secret.createdAtMs(versionId);
  if (createdAtMs === undefined) return false;
  return secret.awsTimeMs(context.nowMs()) - createdAtMs >= ROTATION_MAY_RUN_SEC * 1000;
}
