/**
 * `npm run check:vulnerabilities`: asks the registry which packages of the lock files have known vulnerabilities, and whether
 * what is installed has the registry's signatures. Exits with 1 if something is wrong. Many mirrors of the registry answer
 * neither question: then it says that it skipped the check, or exits with 1 if called with `--strict`.
 */
const { spawnSync } = require('node:child_process');

/** Not the libraries that the benchmarks compare with, nor what builds a site from our own pages. */
const FOLDERS = ['.', 'tools/lint', 'test/mutation', 'test/packaging'];
const CHECKS = [
  { title: 'Known vulnerabilities', args: ['audit', '--audit-level=moderate'], good: 'none' },
  { title: 'Signatures', args: ['audit', 'signatures'], good: 'valid' },
];
const isStrict = process.argv.includes('--strict');

const npm = (cwd, args, stdout) =>
  spawnSync('npm', args, {
    cwd,
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

for (const folder of FOLDERS) {
  for (const { title, args, good } of CHECKS) {
    const subject = folder === '.' ? title : `${title} in ${folder}`;
    const { status, stdout } = npm(folder, [...args, '--json'], 'pipe');
    const missing = missingAnswer(stdout);
    if (missing) {
      console.error(`${subject}: ${isStrict ? 'FAILED' : 'SKIPPED'}, no answer: ${missing}`);
      if (isStrict) process.exitCode = 1;
    } else if (status === 0) {
      console.log(`${subject}: ${good}`);
    } else {
      npm(folder, args, 'inherit');
      process.exitCode = 1;
    }
  }
}
