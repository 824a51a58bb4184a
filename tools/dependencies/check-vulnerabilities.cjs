/**
 * `npm run check:vulnerabilities`: asks the registry which packages of the lock file have known vulnerabilities, and whether
 * what is installed has the registry's signatures. Exits with 1 if something is wrong. Many mirrors of the registry answer
 * neither question: then it says that it skipped the check, or exits with 1 if called with `--strict`.
 */
const { spawnSync } = require('node:child_process');

const CHECKS = [
  { title: 'Known vulnerabilities', args: ['audit', '--audit-level=moderate'], good: 'none' },
  { title: 'Signatures', args: ['audit', 'signatures'], good: 'valid' },
];
const isStrict = process.argv.includes('--strict');

const npm = (args, stdout) =>
  spawnSync('npm', args, {
    encoding: 'utf8',
    stdio: ['ignore', stdout, 'ignore'],
    shell: process.platform === 'win32',
    maxBuffer: 1e8,
  });

/** Returns why there is no answer, or undefined. */
function missingAnswer(output) {
  try {
    const { error, message } = JSON.parse(output);
    return error && (error.summary || message || error.code);
  } catch {
    return 'npm failed';
  }
}

for (const { title, args, good } of CHECKS) {
  const { status, stdout } = npm([...args, '--json'], 'pipe');
  const missing = missingAnswer(stdout);
  if (missing) {
    console.error(`${title}: ${isStrict ? 'FAILED' : 'SKIPPED'}, no answer: ${missing}`);
    if (isStrict) process.exitCode = 1;
  } else if (status === 0) {
    console.log(`${title}: ${good}`);
  } else {
    npm(args, 'inherit');
    process.exitCode = 1;
  }
}
