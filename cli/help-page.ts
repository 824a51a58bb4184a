import { type Command } from 'commander';

import { buildProgram } from './program';

const WIDTH = 80;

/** The help of every command as `docs/command.md` has it, in Markdown. */
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

/** The commands that do something; groups do not. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function nameOf(command: Command): string {
  return [command.parent && nameOf(command.parent), command.name()].filter(Boolean).join(' ');
}
