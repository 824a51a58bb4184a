import { FunctionHost } from './function-host';

/** A host program that invokes a function that never returns, and prints the pid of the function's process. */
const host = new FunctionHost({
  addresses: () => ({ region: 'r', endpointUrl: 'http://127.0.0.1:1', caFile: '/dev/null' }),
});
const fn = host.add(
  'exports.handler = () => { process.stderr.write(process.pid + "\\n"); return new Promise(() => setInterval(() => {}, 1e3)); };',
);
void host.invoke(fn);
const look = setInterval(() => {
  const [line] = host.reporter.lines;
  if (line === undefined) return;
  clearInterval(look);
  process.send?.({ pid: Number(line.split(' ').at(-1)), dir: fn.codeDir });
}, 5);
