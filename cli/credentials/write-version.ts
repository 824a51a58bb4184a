import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { nextVersionId } from '../../core/secrets/compare-and-set';
import { retryWhileUnavailable } from '../call-aws';
import { type CommandContext } from '../command';
import { type LabeledSecret, type SecretState } from './labeled-secret';

const MAX_ATTEMPTS = 5;

type WriteOutcome =
  | { kind: 'written'; versionId: string; isCurrent: boolean }
  /** Someone else has written since; nothing was written. */
  | { kind: 'conflict' };

/**
 * Adds a version with that label, if nobody has loaded or staged anything since `stateBefore`. The version's id is derived from
 * `stateBefore`, so Secrets Manager refuses the second of two concurrent writers. Ignores interruption.
 * @throws {CommandError}
 */
export async function writeVersion(
  context: CommandContext,
  secret: LabeledSecret,
  stateBefore: SecretState,
  value: object,
  label: 'AWSCURRENT' | typeof CANDIDATE_LABEL,
): Promise<WriteOutcome> {
  const uninterrupted = secret.uninterrupted();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const versionId = nextVersionId({
      secretArn: stateBefore.arn,
      versionId: loadedVersions(stateBefore),
      attempt,
    });
    const put = await retryWhileUnavailable(context, () => uninterrupted.put(versionId, value, label));
    if (put.kind === 'written' && put.labels.includes(label)) {
      return { kind: 'written', versionId, isCurrent: put.labels.includes('AWSCURRENT') };
    }
    // Either someone was faster, or a version that was once staged has this id.
    const state = await retryWhileUnavailable(context, () => uninterrupted.describe());
    if (loadedVersions(state) !== loadedVersions(stateBefore)) return { kind: 'conflict' };
  }
  return { kind: 'conflict' };
}

/** The current version and the candidate: any other writer would have changed one of them. */
function loadedVersions({ versionWith }: SecretState): string {
  return JSON.stringify([versionWith.AWSCURRENT, versionWith[CANDIDATE_LABEL]]);
}
