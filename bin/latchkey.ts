import { join } from 'node:path';

import { EXIT } from '../cli/exit-codes';
import { runCommand } from '../cli/main';
import { StartedPrograms } from '../cli/started-programs';

// Silences the SDK's warning about Node 20.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const { stdin, stdout, stderr, env } = process;
const projectRoot = join(__dirname, '..');
const programs = new StartedPrograms(join(projectRoot, 'dist'));
const interrupt = new AbortController();
/** By SIGTERM or SIGHUP, not by Ctrl-C. */
let isTerminated = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // The started program decides how to end, and this process ends with it.
    if (programs.passOn(signal)) return;
    isTerminated ||= signal === 'SIGTERM';
    // A second signal exits at once, so the outcome of requests in flight is unknown.
    if (interrupt.signal.aborted) process.exit(EXIT.outcomeUnknown);
    interrupt.abort();
  });
}
// A closing terminal may send SIGHUP twice; the second one does not force an exit.
process.on('SIGHUP', () => {
  if (programs.passOn('SIGHUP')) return;
  isTerminated = true;
  interrupt.abort();
});
// EPIPE is not a failure: a reader such as head may stop early. Any other write error interrupts the run.
let isOutputLost = false;
stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  isOutputLost = true;
  interrupt.abort();
});
// The work continues if standard error is closed, for example by `2>&1 | head`.
stderr.on('error', () => undefined);

void runCommand(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  workingDir: process.cwd(),
  projectRoot,
  runProgram: (program, args) => programs.run(program, args),
  interrupt,
}).then((ended) => {
  const exitCode = ended === EXIT.interrupted && isTerminated ? EXIT.failed : ended;
  // Flush standard output, then exit: kept-alive connections would keep the process running.
  stdout.write('', () => {
    // The stream emits a write error after the callback.
    setImmediate(() => process.exit(isOutputLost && exitCode === EXIT.done ? EXIT.failed : exitCode));
  });
});
