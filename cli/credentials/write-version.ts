import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { nextVersionId } from '../../lambdas/shared/domain/compare-and-set';
import { retryWhileUnavailable } from '../call-aws';
import { type CommandContext } from '../command';
import { type CredentialSecret, type SecretState } from './credential-secret';

/** More of them means that somebody writes all the time. */
const MOST_ATTEMPTS = 5;

type WriteOutcome =
  | { kind: 'written'; versionId: string; isCurrent: boolean }
  /** Someone else has written since the state was seen; nothing was written. */
  | { kind: 'conflict' };

/**
 * Adds a version with that label, if nobody has loaded or staged anything since `seen`: the version's id is derived
 * from what was seen, so that of two operators who saw the same one is refused.
 * What was sent once is carried to an end, whatever interrupts.
 * @throws {CommandError}
 */
export async function writeVersion(
  context: CommandContext,
  interruptible: CredentialSecret,
  seen: SecretState,
  value: object,
  label: 'AWSCURRENT' | typeof CANDIDATE_LABEL,
): Promise<WriteOutcome> {
  const secret = interruptible.uninterrupted();
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const versionId = nextVersionId({ secretArn: seen.arn, versionId: writersView(seen), attempt });
    const put = await retryWhileUnavailable(context, () => secret.put(versionId, value, label));
    if (put.kind === 'written' && put.labels.includes(label)) {
      return { kind: 'written', versionId, isCurrent: put.labels.includes('AWSCURRENT') };
    }
    // Either somebody was faster, or the id is that of a version which was staged before and is no longer.
    const state = await retryWhileUnavailable(context, () => secret.describe());
    if (writersView(state) !== writersView(seen)) return { kind: 'conflict' };
  }
  return { kind: 'conflict' };
}

function writersView({ versionWith }: SecretState): string {
  return JSON.stringify([versionWith.AWSCURRENT, versionWith[CANDIDATE_LABEL]]);
}
