import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { type Terminal } from '../terminal';

/**
 * Has a person at the terminal agree, unless that was done beforehand. Where there is nobody, the command itself is the
 * consent.
 * @throws {CommandError} `declined`
 */
export async function requireConsent(
  terminal: Terminal,
  { yes = false }: { yes?: boolean },
  question: string,
): Promise<void> {
  if (!terminal.isInteractive || yes || (await terminal.confirm(question))) return;
  throw new CommandError(EXIT.failed, 'declined', 'nothing was changed');
}
