import { join } from 'node:path';

import * as prompts from '@clack/prompts';

import { EXIT } from '../../../cli/exit-codes';
import { asCommandError } from '../../../cli/main';
import { ProcessTerminal } from '../../../cli/process-terminal';
import { clean } from './clean';
import { prepareCommand } from './prove-command';
import { run } from './run';

// Silences the SDK's warning about Node 20.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const { stdin, stdout, stderr, env } = process;
const args = process.argv.slice(2);
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second signal ends the process at once, and `latchkey prove --clean` removes the run. A closing terminal sends SIGHUP twice.
    if (interrupt.signal.aborted && signal !== 'SIGHUP') process.exit(EXIT.outcomeUnknown);
    interrupt.abort();
  });
}
// A closed terminal or an early `| head` must not end the run before it has cleaned up.
for (const stream of [stdout, stderr]) stream.on('error', () => undefined);

const terminal = new ProcessTerminal({
  stdin,
  stdout,
  stderr,
  env,
  interrupt,
  asJson: args.includes('--json'),
  inColor: !args.includes('--no-color'),
  prompts: async () => prompts,
});

// This program is built to dist/prove.js.
const projectRoot = join(__dirname, '..');
const surroundings = { env, workingDir: process.cwd(), projectRoot, interrupted: interrupt.signal };
void prepareCommand(args, terminal, surroundings)
  .then((command) => (command.options.clean ? clean(command) : run(command)))
  .catch((error: unknown) => {
    const failure = asCommandError(error);
    terminal.failure(failure);
    return failure.exitCode;
  })
  .then((exitCode) => {
    // Flush standard output, then exit: kept-alive connections would keep the process running.
    stdout.write('', () => process.exit(exitCode));
  });
