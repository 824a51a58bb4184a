import { CommandError } from '../cli/command-error';
import { EXIT } from '../cli/exit-codes';
import { type ProveActions } from './program';
import { clean, run } from './run';

/** What the program does. */
export const ACTIONS: ProveActions = { run, clean, policy: () => unfinished() };

function unfinished(): never {
  throw new CommandError(EXIT.failed, 'not_built', 'this version prints no policy');
}
