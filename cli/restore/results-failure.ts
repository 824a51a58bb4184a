import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';

/** That results can't be read or written, in our own words. */
export function resultsFailure(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  const reason = typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : 'no reason given';
  return new CommandError(
    EXIT.failed,
    'results_not_written',
    `the results cannot be read or written (${reason})`,
    {
      cause: error,
      advice:
        'No more is sent without them. Make room, or give the right to write, and run the same command again: ' +
        'a content whose result is not written down counts as unknown.',
    },
  );
}
