import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from './conformance-program';

const interruption = new AbortController();
// `once`: a second signal ends the process at once.
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());

// Keep running when the reader is gone, as with `| head`: the exit code still counts.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void runProgram(process.argv.slice(2), {
  readInput: () => {
    if (process.stdin.isTTY) process.stderr.write('Enter the credentials as JSON, then press Ctrl-D:\n');
    return text(addAbortSignal(interruption.signal, process.stdin));
  },
  write: (output) => process.stdout.write(output),
  writeError: (output) => process.stderr.write(output),
  interrupted: interruption.signal,
}).then((status) => {
  process.exitCode = status;
});
