import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { type ApiKeyValue } from '../../contract/secret-values';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { commandFor } from '../command-text';
import { EXIT } from '../exit-codes';
import { type CredentialSecret, type SecretState } from './credential-secret';
import { stagedMeanwhile } from './stage-candidate';
import { writeVersion } from './write-version';

/**
 * Writes a key that exists nowhere else yet as candidate, before anything is printed. A write that fails is repeated
 * by itself, and then for as long as the person at the terminal wants.
 * @throws {CommandError} `key_not_stored`, or `storing_unknown` where AWS did not say
 */
export async function storeGeneratedKey(
  context: CommandContext,
  secret: CredentialSecret,
  seen: SecretState,
  value: ApiKeyValue,
): Promise<{ versionId: string; isCurrent: boolean }> {
  for (;;) {
    const failure = await write();
    if ('versionId' in failure) return failure;
    if (!(await isToBeRepeated(failure))) throw notStored(secret, failure);
  }

  async function write(): Promise<{ versionId: string; isCurrent: boolean } | CommandError> {
    try {
      const written = await writeVersion(context, secret, seen, value, CANDIDATE_LABEL);
      return written.kind === 'written' ? written : stagedMeanwhile(secret);
    } catch (error) {
      if (error instanceof CommandError) return error;
      throw error;
    }
  }

  /** The operator can fix missing permissions in another terminal while this process still holds the key. */
  async function isToBeRepeated(failure: CommandError): Promise<boolean> {
    const { terminal } = context;
    if (!terminal.isInteractive || terminal.interrupted.aborted || failure.code === 'changed_meanwhile') {
      return false;
    }
    terminal.say(`The key was generated, and can't be stored: ${failure.message}.`);
    if (failure.advice !== undefined) terminal.say(failure.advice);
    return terminal.confirm('Try to store it again? Otherwise it is lost.').catch(() => false);
  }
}

function notStored({ chosen }: CredentialSecret, failure: CommandError): CommandError {
  const again = commandFor(chosen, 'api-key generate');
  const lost = `Nobody can see or use the lost key; the platform's support can revoke it.`;
  if (failure.exitCode === EXIT.unavailable) {
    return new CommandError(
      EXIT.outcomeUnknown,
      'storing_unknown',
      `a new API key was generated, and it is not known whether it was stored: ${failure.message}`,
      {
        cause: failure,
        advice:
          `Look whether a candidate is staged: ${commandFor(chosen, 'status')}\n` +
          `If so: ${commandFor(chosen, 'credentials rotate', 'api-key')}\n` +
          `If not, generate another one: ${again}\n${lost}`,
      },
    );
  }
  return new CommandError(
    EXIT.failed,
    'key_not_stored',
    `a new API key was generated, but it is stored nowhere: ${failure.message}`,
    {
      cause: failure,
      advice: [failure.advice, `Then generate another one: ${again}`, lost]
        .filter((line) => line !== undefined)
        .join('\n'),
    },
  );
}
