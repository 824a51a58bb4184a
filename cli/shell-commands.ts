import { Argument, type Command } from 'commander';

import { usageError } from './command-error';
import { completionScript } from './completion-script';
import { type Shell, SHELLS } from './shells';

/** The commands about the command line itself. */
export const SHELL_COMMANDS = ['help', 'completion'];

/**
 * Adds the commands that are about the command line itself: `help` and `completion`.
 * @param write receives what they print
 */
export function addShellCommands(program: Command, write: (text: string) => void): void {
  program
    .command('help')
    .summary('show help for a command')
    .description('Show help for a command.')
    .argument('[command...]', 'the command, for example credentials put')
    .addHelpText('after', '\nExamples:\n  latchkey help credentials put')
    .action((words: string[]) => {
      // outputHelp writes to where the command's own --help does.
      commandNamed(program, words).outputHelp();
    });
  program
    .command('completion')
    .summary('print a script that completes commands, flags and values in a shell')
    .description(
      'Print a script that completes commands, flags and values. Load it where your shell starts, for example in ~/.bashrc.',
    )
    .addArgument(shellArgument())
    .addHelpText(
      'after',
      '\nExamples:\n  source <(latchkey completion bash)\n  source <(latchkey completion zsh)\n  latchkey completion fish | source',
    )
    .action((shell: Shell) => write(completionScript(program, shell)));
}

function shellArgument(): Argument {
  const argument = new Argument('<shell>', 'shell that loads it').choices(SHELLS);
  return argument.argParser((word) => {
    if (SHELLS.some((shell) => shell === word)) return word;
    throw usageError('shell', shown(word), SHELLS.join(', '));
  });
}

function commandNamed(program: Command, words: readonly string[]): Command {
  return words.reduce((command, word) => {
    const found = command.commands.find((each) => each.name() === word);
    if (found !== undefined) return found;
    const names = command.commands.map((each) => each.name());
    throw usageError(
      'arguments',
      `the unknown command ${shown(word)}`,
      names.length === 0 ? `help ${command.name()}` : names.join(', '),
    );
  }, program);
}

/** Anything but a word may be a misplaced secret. */
function shown(word: string): string {
  return /^[a-z][a-z-]{0,19}$/.test(word) ? word : '(not shown)';
}
