import { CommandError } from '../cli/command-error';
import { EXIT } from '../cli/exit-codes';
import { type ProveActions } from './program';

/** What the program does. */
export const ACTIONS: ProveActions = {
  run: async () => unfinished(),
  clean: async () => unfinished(),
  policy: () => unfinished(),
};

function unfinished(): never {
  throw new CommandError(EXIT.failed, 'not_built', 'this version can check options and the account only');
}
