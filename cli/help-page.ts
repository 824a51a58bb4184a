import { type Command } from 'commander';

import { buildProgram } from './program';

const WIDTH = 80;

/** The help of every command in Markdown, for `docs/command.md`. */
export function helpPage(): string {
  let written = '';
  const program = buildProgram(
    async () => undefined,
    (text) => (written += text),
  );
  return leavesOf(program)
    .map((command) => {
      written = '';
      command.configureOutput({ getOutHelpWidth: () => WIDTH }).outputHelp();
      return `### ${nameOf(command)}\n\n\`\`\`text\n${written.trim()}\n\`\`\``;
    })
    .join('\n\n');
}

/** The commands that do something themselves: those without subcommands, or with an argument. */
function leavesOf(command: Command): Command[] {
  const isLeaf = command.commands.length === 0 || command.registeredArguments.length > 0;
  return [...(isLeaf ? [command] : []), ...command.commands.flatMap(leavesOf)];
}

function nameOf(command: Command): string {
  return [command.parent && nameOf(command.parent), command.name()].filter(Boolean).join(' ');
}
