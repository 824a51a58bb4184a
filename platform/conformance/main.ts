import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runProgram } from './conformance-program';

const interruption = new AbortController();
// A second one ends the process at once.
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());

// Nobody reads any more, as behind `| head`: the exit status tells all the same.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void runProgram(process.argv.slice(2), {
  readInput: () => {
    if (process.stdin.isTTY) process.stderr.write('the credentials as JSON, then Ctrl-D:\n');
    return text(addAbortSignal(interruption.signal, process.stdin));
  },
  write: (output) => process.stdout.write(output),
  writeError: (output) => process.stderr.write(output),
  interrupted: interruption.signal,
}).then((status) => {
  process.exitCode = status;
});
