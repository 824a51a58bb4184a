import { join } from 'node:path';

import { runCommand } from '../cli/main';

/** The second interruption ends the process at once: nobody knows then what became of a request on its way. */
const OUTCOME_UNKNOWN = 75;

// The SDK's advice about Node 20 would hide what matters.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

const { stdin, stdout, stderr, env } = process;
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (interrupt.signal.aborted) process.exit(OUTCOME_UNKNOWN);
    interrupt.abort();
  });
}
// A reader that has seen enough, such as head, is no failure.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

void runCommand(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  workingDir: process.cwd(),
  projectRoot: join(__dirname, '..'),
  interrupt,
}).then((exitCode) => {
  // What was written may still be on its way, and kept connections would keep the process.
  stdout.write('', () => process.exit(exitCode));
});
