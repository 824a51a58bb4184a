import { Command, type Option } from 'commander';

import { OPTION_SETS, optionNamed } from '../../cli/options';
import { buildProgram } from '../../cli/program';

const WIDTH = 80;

/** The help of every command in Markdown, for `docs/command.md`. Options that most commands have are described once. */
export function helpPage(): string {
  let written = '';
  const program = buildProgram(
    async () => undefined,
    (text) => (written += text),
  );
  const helpOf = (command: Command, options: readonly Option[]) => {
    written = '';
    command
      .configureOutput({ getOutHelpWidth: () => WIDTH })
      .configureHelp({ visibleOptions: () => [...options] })
      .outputHelp();
    return written.trim();
  };

  const shared = sharedOptions(program);
  const isShared = ({ flags, description }: Option) =>
    shared.some((each) => each.flags === flags && each.description === description);
  const sections = leavesOf(program).map((command) => {
    const options = command.createHelp().visibleOptions(command);
    const help = helpOf(
      command,
      options.filter((option) => !isShared(option)),
    );
    const others = options.filter(isShared).map(({ long }) => `\`${long!}\``);
    return `### ${nameOf(command)}\n\n\`\`\`text\n${help}\n\`\`\`\n\nAlso: ${others.join(', ')}.`;
  });

  const ofAll = new Command().configureOutput({ writeOut: (text) => (written += text) });
  const list = helpOf(ofAll, shared).replace(/^.*?(?=Options:)/s, '');
  return `### Options of most commands\n\n\`\`\`text\n${list}\n\`\`\`\n\n${sections.join('\n\n')}`;
}

/** What selects a tenant and a system, what is printed, and `--help`. */
function sharedOptions(program: Command): Option[] {
  const names = [...OPTION_SETS.tenant, ...OPTION_SETS.system, ...OPTION_SETS.output];
  const ofProgram = program.createHelp().visibleOptions(program);
  return [...names.map(optionNamed), ...ofProgram.filter(({ long }) => long === '--help')];
}

/** The commands that do something themselves: those without subcommands, or with an argument. */
function leavesOf(command: Command): Command[] {
  const isLeaf = command.commands.length === 0 || command.registeredArguments.length > 0;
  return [...(isLeaf ? [command] : []), ...command.commands.flatMap(leavesOf)];
}

function nameOf(command: Command): string {
  return [command.parent && nameOf(command.parent), command.name()].filter(Boolean).join(' ');
}
