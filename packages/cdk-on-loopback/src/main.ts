import { runCommand } from './command';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
// If nobody reads the output anymore (`| head`), the run ends and removes its files.
process.stdout.on('error', () => stop.abort());

void runCommand(process.argv.slice(2), {
  workingDir: process.cwd(),
  input: process.stdin,
  say: (line) => process.stdout.write(`${line}\n`),
  fail: (line) => process.stderr.write(`${line}\n`),
  signal: stop.signal,
}).then((code) => process.exit(code));
