/** A command that leaks its input in the way that its argument names. */
const { spawn } = require('node:child_process');
const { readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const secret = readFileSync(0, 'utf8');
const lastingAWhile = ['--eval', 'setTimeout(() => {}, 300)'];
const file = join(tmpdir(), 'leak');

const LEAKS = {
  argv: () => spawn(process.execPath, [...lastingAWhile, secret]),
  env: () => spawn(process.execPath, lastingAWhile, { env: { LEAK: secret } }),
  title: () => {
    process.title = secret;
    setTimeout(() => {}, 300);
  },
  'temp-file': () => {
    writeFileSync(file, secret);
    setTimeout(() => rmSync(file), 300);
  },
  'working-folder': () => writeFileSync('leak.json', JSON.stringify({ secret })),
  results: () => writeFileSync('leak.results.jsonl', secret.split('').reverse().join('')),
  stdout: () => process.stdout.write(secret),
  stderr: () =>
    process.stderr.write(`asking with Basic ${Buffer.from(`tenant:${secret}`).toString('base64')}`),
};
LEAKS[process.argv[2]]();
