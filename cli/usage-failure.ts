import { type CommanderError } from 'commander';

import { type CommandError, usageError } from './command-error';

/**
 * Turns commander's error into a usage error. Keeps only what looks like a name from its message: anything else that was
 * typed may be a misplaced secret.
 * @param commands the allowed ones, if one was missing or unknown
 */
export function usageFailure({ code, message }: CommanderError, commands: readonly string[]): CommandError {
  const didYouMean = / mean (.*)\?\)/.exec(message)?.[1]?.replace('one of ', '');
  switch (code) {
    case 'commander.unknownOption': {
      const flag = /option '(--[a-z][a-z-]{0,30}|-[a-zA-Z])(?=['=])/.exec(message)?.[1];
      return usageError(
        'arguments',
        `the unknown option ${flag ?? '(not shown)'}`,
        didYouMean ?? 'the options that --help lists',
      );
    }
    case 'commander.unknownCommand': {
      const command = /command '([a-z][a-z-]{0,19})'/.exec(message)?.[1];
      return usageError(
        'arguments',
        `the unknown command ${command ?? '(not shown)'}`,
        didYouMean ?? commands.join(', '),
      );
    }
    case 'commander.help':
      return usageError('arguments', 'no command', commands.join(', '));
    case 'commander.excessArguments': {
      const [, expected = '0', got] = /Expected (\d+) arguments? but got (\d+)/.exec(message) ?? [];
      const count = got === undefined ? 'some' : Number(got) - Number(expected);
      return usageError(
        'arguments',
        `${count} more than the command takes`,
        `${expected === '0' ? '' : `${expected} and `}options only`,
      );
    }
    case 'commander.missingArgument': {
      const name = /argument '([a-z-]+)'/.exec(message)?.[1] ?? 'argument';
      return usageError('arguments', `no <${name}>`, 'one, as in --help');
    }
    case 'commander.optionMissingArgument': {
      const flag = /option '(--[a-z-]+)/.exec(message)?.[1] ?? 'an option';
      return usageError(flag, 'nothing', 'a value after it');
    }
    default:
      return usageError('arguments', 'something unreadable', 'the options that --help lists');
  }
}
