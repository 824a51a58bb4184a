import { text } from 'node:stream/consumers';
import { runProgram } from './program';

const interruption = new AbortController();
// A second one ends the process at once.
process.once('SIGINT', () => interruption.abort());
process.once('SIGTERM', () => interruption.abort());

void runProgram(process.argv.slice(2), {
  readInput: () => {
    if (process.stdin.isTTY) process.stderr.write('the credentials as JSON, then Ctrl-D:\n');
    return text(process.stdin);
  },
  write: (output) => process.stdout.write(output),
  writeError: (output) => process.stderr.write(output),
  interrupted: interruption.signal,
}).then((status) => {
  process.exitCode = status;
});
