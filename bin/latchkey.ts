import { join } from 'node:path';

import { EXIT } from '../cli/exit-codes';
import { runCommand } from '../cli/main';
import { StartedPrograms } from '../cli/started-programs';

// The SDK's advice about Node 20 would hide what matters.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const { stdin, stdout, stderr, env } = process;
const projectRoot = join(__dirname, '..');
const programs = new StartedPrograms(join(projectRoot, 'dist'));
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // What was started decides how to end, and this process ends with it.
    if (programs.passOn(signal)) return;
    // The second one ends the process at once: nobody knows then what became of a request on its way.
    if (interrupt.signal.aborted) process.exit(EXIT.outcomeUnknown);
    interrupt.abort();
  });
}
// A terminal that is closed may say so twice, which is no second interruption.
process.on('SIGHUP', () => {
  if (!programs.passOn('SIGHUP')) interrupt.abort();
});
// A reader that has seen enough, such as head, is no failure. Neither ends what was begun.
let isAnswerLost = false;
stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  isAnswerLost = true;
  interrupt.abort();
});
// Nobody is left to tell, as behind `2>&1 | head`: the work goes on all the same.
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
}).then((exitCode) => {
  // What was written may still be on its way, and kept connections would keep the process.
  stdout.write('', () => {
    // A write that failed is told of after its callback.
    setImmediate(() => process.exit(isAnswerLost && exitCode === EXIT.done ? EXIT.failed : exitCode));
  });
});
