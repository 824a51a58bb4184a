import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { type ApiKeyValue } from '../../core/secrets/secret-values';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { tenantCommand } from '../command-text';
import { EXIT } from '../exit-codes';
import { type LabeledSecret, type SecretState } from './labeled-secret';
import { stagedMeanwhile } from './concurrent-load';
import { writeVersion } from './write-version';

/** The version of a new key, and whether it is current already because it is the first. */
export interface StoredKey {
  versionId: string;
  isCurrent: boolean;
}

/**
 * Stores a new key, which exists nowhere else yet, as candidate. Retries a failed write, and then asks whether to go on.
 * @throws {CommandError} `key_not_stored`, or `storing_unknown` if AWS gave no answer
 */
export async function storeGeneratedKey(
  context: CommandContext,
  secret: LabeledSecret,
  stateBefore: SecretState,
  value: ApiKeyValue,
): Promise<StoredKey> {
  for (;;) {
    const result = await write();
    if (!(result instanceof CommandError)) return result;
    if (!(await shouldRetry(result))) throw notStored(secret, result);
  }

  async function write(): Promise<StoredKey | CommandError> {
    try {
      const written = await writeVersion(context, secret, stateBefore, value, CANDIDATE_LABEL);
      return written.kind === 'written' ? written : stagedMeanwhile(secret);
    } catch (error) {
      if (error instanceof CommandError) return error;
      throw error;
    }
  }

  /** The operator can fix missing permissions in another terminal while this process still holds the key. */
  async function shouldRetry(failure: CommandError): Promise<boolean> {
    const { terminal } = context;
    if (!terminal.isInteractive || terminal.interrupted.aborted || failure.code === 'changed_meanwhile') {
      return false;
    }
    terminal.say(`The key was generated but could not be stored: ${failure.message}`);
    if (failure.advice !== undefined) terminal.say(failure.advice);
    return terminal.confirm('Try again? Otherwise the key is lost.').catch(() => false);
  }
}

function notStored({ chosen }: LabeledSecret, failure: CommandError): CommandError {
  const again = tenantCommand(chosen, 'api-key generate');
  const lost = `Nobody can see or use the lost key. The platform's support can revoke it.`;
  if (failure.exitCode === EXIT.unavailable) {
    return new CommandError(
      EXIT.outcomeUnknown,
      'storing_unknown',
      `a new API key was generated, but it is unknown whether it was stored: ${failure.message}`,
      {
        cause: failure,
        advice:
          `Check whether a candidate is staged: ${tenantCommand(chosen, 'status')}\n` +
          `If so: ${tenantCommand(chosen, 'credentials rotate', 'api-key')}\n` +
          `If not, generate another key: ${again}\n${lost}`,
      },
    );
  }
  return new CommandError(
    EXIT.failed,
    'key_not_stored',
    `a new API key was generated but not stored: ${failure.message}`,
    {
      cause: failure,
      advice: [failure.advice, `Then generate another key: ${again}`, lost]
        .filter((line) => line !== undefined)
        .join('\n'),
    },
  );
}
