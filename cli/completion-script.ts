import { type Command, type Option } from 'commander';

import { wordsOf } from './options';
import { fishWord, type Shell } from './shells';

/** A command with its words, such as `credentials put`; empty for the program itself. */
interface Entry {
  readonly path: string;
  readonly command: Command;
}

/** The script that completes the commands, flags and words of a program in a shell. Other values complete as file names. */
export function completionScript(program: Command, shell: Shell): string {
  const entries = entriesOf(program, '');
  return `${(shell === 'fish' ? fishLines(entries) : bashLines(entries, shell)).join('\n')}\n`;
}

function entriesOf(command: Command, path: string): Entry[] {
  return [
    { path, command },
    ...command.commands.flatMap((each) => entriesOf(each, `${path} ${each.name()}`.trim())),
  ];
}

/**
 * Functions of bash; zsh runs them too.
 * @see https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion-Builtins.html
 * @see https://zsh.sourceforge.io/Doc/Release/Completion-System.html (bashcompinit)
 */
function bashLines(entries: readonly Entry[], shell: Shell): string[] {
  return [
    ...(shell === 'zsh' ? ['autoload -Uz compinit bashcompinit && compinit && bashcompinit'] : []),
    '_latchkey() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" typed="" word offered=""',
    '  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do',
    '    case "${typed:+$typed }$word" in',
    `      ${entries.flatMap(({ path }) => (path === '' ? [] : `"${path}"`)).join(' | ')}) typed="\${typed:+$typed }$word" ;;`,
    '    esac',
    '  done',
    '  COMPREPLY=()',
    '  case "$typed $previous" in',
    ...entries.flatMap(({ path, command }) =>
      command.options.flatMap((option) => {
        if (!option.required) return [];
        const words = wordsOf(option)?.join(' ');
        const action = words === undefined ? 'return' : `offered="${words}"`;
        return [`    "${path} ${option.long}") ${action} ;;`];
      }),
    ),
    '    *)',
    '      case "$typed" in',
    ...entries.map(({ path, command }) => `        "${path}") offered="${wordsAfter(command).join(' ')}" ;;`),
    '      esac',
    '      ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$offered" -- "$current"))',
    '}',
    'complete -o default -F _latchkey latchkey',
  ];
}

/** @see https://fishshell.com/docs/current/cmds/complete.html */
function fishLines(entries: readonly Entry[]): string[] {
  return entries.flatMap(({ path, command }) => {
    const seen = path
      .split(' ')
      .filter(Boolean)
      .map((word) => `__fish_seen_subcommand_from ${word}`);
    const names = command.commands.map((each) => each.name());
    const none = names.length === 0 ? [] : [`not __fish_seen_subcommand_from ${names.join(' ')}`];
    const condition = `complete -c latchkey -n ${fishWord([...seen, ...none].join('; and ') || 'true')}`;
    return [
      ...command.commands.map(
        (each) => `${condition} -f -a ${each.name()} -d ${fishWord(each.summary() || each.description())}`,
      ),
      ...argumentWords(command).map((word) => `${condition} -f -a ${word}`),
      ...command.options.map((option) => `${condition} ${fishOption(option)}`),
    ];
  });
}

function fishOption(option: Option): string {
  const { long, short, description, required } = option;
  const words = wordsOf(option);
  const value = words === undefined ? '-r' : `-x -a ${fishWord(words.join(' '))}`;
  return [
    `-l ${long!.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(required ? [value] : []),
    `-d ${fishWord(description)}`,
  ].join(' ');
}

/** What may follow a command: its subcommands or the words of its argument, and its flags. */
function wordsAfter(command: Command): string[] {
  const flags = command.options.map(({ long }) => long!);
  return [...command.commands.map((each) => each.name()), ...argumentWords(command), ...flags, '--help'];
}

function argumentWords(command: Command): readonly string[] {
  return command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
}
