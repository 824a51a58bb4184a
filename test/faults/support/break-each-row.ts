/**
 * Proves of every row that it is green and can turn red: breaks the product in the one line that the row names, in a
 * copy of the repository, and runs the row's tests there. Ends with status 1 unless every row turned red.
 *
 *     node --require tsx/cjs test/faults/support/break-each-row.ts [ID…]
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { type FaultRow } from './fault-row';

const ROOT = join(__dirname, '../../..');
const LEFT_OUT = ['node_modules', '.git', 'cdk.out', '.latchkey', 'dist', 'coverage'];

/** What the tests of one row may take, in ms: a broken product must fail them, not hold them up. */
const PATIENCE_MS = 120_000;

/** What jest reports of a run, as far as it is looked at. */
interface JestReport {
  numRuntimeErrorTestSuites: number;
  testResults: { assertionResults: { ancestorTitles: string[]; status: string }[] }[];
}

const asked = process.argv.slice(2);
const copy = mkdtempSync(join(tmpdir(), 'broken-copy-'));
try {
  process.exitCode = breakEachRow();
} finally {
  rmSync(copy, { recursive: true });
}

function breakEachRow(): number {
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !LEFT_OUT.includes(basename(path)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const rows = rowsWithTheirTests().filter(({ row }) => asked.length === 0 || asked.includes(row.id));
  const whole = runTests([...new Set(rows.map(({ test }) => test))])!;
  const proven = rows.filter(({ row, test }) => {
    const verdict = resultOf(row, whole).failed > 0 ? 'red without any break' : verdictOf(row, test);
    const { file, to } = row.brokenBy;
    process.stdout.write(`${row.id.padEnd(4)} ${verdict.padEnd(22)} ${file}: ${to || '(line removed)'}\n`);
    return /^red \d/.test(verdict);
  });
  process.stdout.write(`${proven.length} of ${rows.length} rows turn red when broken\n`);
  return rows.length > 0 && proven.length === rows.length ? 0 : 1;
}

function rowsWithTheirTests(): { row: FaultRow; test: string }[] {
  const folder = join(__dirname, '..');
  const modules = readdirSync(folder).filter((name) => name.endsWith('-faults.ts'));
  return modules.flatMap((name) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- which modules there are is known only now
    const { ROWS } = require(join(folder, name)) as { ROWS: FaultRow[] };
    return ROWS.map((row) => ({ row, test: `test/faults/${name.replace(/\.ts$/, '.test.ts')}` }));
  });
}

function verdictOf(row: FaultRow, test: string): string {
  const { file, from, to } = row.brokenBy;
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  const times = whole.split(from).length - 1;
  if (times !== 1) return `line occurs ${times} times`;
  try {
    writeFileSync(
      path,
      whole.replace(from, () => to),
    );
    const report = runTests([test], ['-t', `^${row.id} `], PATIENCE_MS);
    if (report === undefined) return 'does not end';
    if (report.numRuntimeErrorTestSuites > 0) return 'does not run at all';
    const { failed, passed } = resultOf(row, report);
    return failed === 0 ? 'stays green' : `red ${failed} of ${failed + passed}`;
  } finally {
    writeFileSync(path, whole);
  }
}

/** @returns undefined for a run that had to be ended */
function runTests(
  tests: readonly string[],
  more: readonly string[] = [],
  timeoutMs?: number,
): JestReport | undefined {
  const jest = join(copy, 'node_modules/jest/bin/jest.js');
  const { stdout, signal } = spawnSync(
    process.execPath,
    [jest, '--selectProjects', 'fault', '--json', '--silent', ...more, '--runTestsByPath', ...tests],
    {
      cwd: copy,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      env: { ...process.env, FAULT_SEEDS: '3' },
    },
  );
  return signal === null ? (JSON.parse(stdout) as JestReport) : undefined;
}

function resultOf({ id }: FaultRow, { testResults }: JestReport): { failed: number; passed: number } {
  const ofRow = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ ancestorTitles }) => ancestorTitles[0]!.startsWith(`${id} `));
  return {
    failed: ofRow.filter(({ status }) => status === 'failed').length,
    passed: ofRow.filter(({ status }) => status === 'passed').length,
  };
}
