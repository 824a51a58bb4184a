import { PassThrough } from 'node:stream';

import { type CommandFlags } from '../../../cli/command';
import { runCommand, type Surroundings } from '../../../cli/main';
import { buildProgram } from '../../../cli/program';

/** The command line whose commands do nothing. */
export const idleProgram = () =>
  buildProgram(
    async () => undefined,
    () => undefined,
  );

/** Every command that can be run, by its words, with the options that it has. */
export function commandsOf(program = idleProgram(), path = ''): { name: string; options: string[] }[] {
  return program.commands.flatMap((command) => {
    const name = `${path} ${command.name()}`.trim();
    const options = command.options.map(({ long }) => long!);
    const below = commandsOf(command, name);
    const isGroup = below.length > 0 && command.registeredArguments.length + options.length === 0;
    return isGroup ? below : [{ name, options }, ...below];
  });
}

/** The flags that each command gets, by their names in code. */
export async function flagsOf(words: readonly string[]): Promise<CommandFlags> {
  let given: CommandFlags = {};
  const program = buildProgram(
    async (_, flags) => void (given = flags),
    () => undefined,
  );
  await program.parseAsync(words, { from: 'user' });
  return given;
}

/** The words of a printed command, as a shell splits them. */
export function wordsOf(command: string): string[] {
  const [latchkey, ...words] = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain!,
  );
  expect(latchkey).toBe('latchkey');
  return words;
}

/** Runs a command line in the process of the test. @param run it, which bundles have as well */
export async function runLine(
  args: readonly string[],
  { folder = '/nowhere', input = '', run = runCommand } = {},
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const surroundings = {
    stdin: new PassThrough().end(input),
    stdout,
    stderr,
    env: {},
    workingDir: folder,
    projectRoot: folder,
    runProgram: async () => 0,
    interrupt: new AbortController(),
  };
  const exitCode = await run(args, surroundings as unknown as Surroundings);
  return { exitCode, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}
