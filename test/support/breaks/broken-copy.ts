import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { type Break, type Breakable } from './break';

const ROOT = join(__dirname, '../../..');
const LEFT_OUT = ['node_modules', '.git', 'cdk.out', '.latchkey', 'dist', 'coverage'];

/** What jest reports of a run, as far as it is looked at. */
interface JestReport {
  numRuntimeErrorTestSuites: number;
  testResults: {
    assertionResults: {
      ancestorTitles: string[];
      title: string;
      status: string;
      /** In ms; 0 for a test that never began. */
      duration: number;
    }[];
  }[];
}

/** What a run says of the tests of one entry. */
export interface TestCounts {
  failed: number;
  passed: number;
}

/** Which tests are run. */
export interface Selection {
  project: string;
  /** Paths of test files. */
  tests: readonly string[];
  entries: readonly Breakable[];
}

/** A run that came to its end. */
export interface TestRun {
  /** Whether some test file, or a hook before its tests, failed as a whole: then its tests say nothing. */
  isUnrun: boolean;
  countsOf(entry: Breakable): TestCounts;
}

/** A copy of the repository in which the product is broken, one line at a time. */
export class BrokenCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'broken-copy-'));

  constructor() {
    const filter = (path: string) => !LEFT_OUT.includes(basename(path));
    cpSync(ROOT, this.#folder, { recursive: true, filter });
    symlinkSync(join(ROOT, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** How often the line that is to be broken occurs: it must be once. */
  occurrencesOf({ file, from }: Break): number {
    return readFileSync(join(this.#folder, file), 'utf8').split(from).length - 1;
  }

  /** Does something while the product is broken. */
  async whileBroken<Result>({ file, from, to }: Break, act: () => Promise<Result>): Promise<Result> {
    const path = join(this.#folder, file);
    const whole = readFileSync(path, 'utf8');
    try {
      writeFileSync(
        path,
        whole.replace(from, () => to),
      );
      return await act();
    } finally {
      writeFileSync(path, whole);
    }
  }

  /**
   * Runs the tests of entries.
   * @param timeoutMs a broken product must fail its tests, not hold them up
   * @returns undefined for a run that had to be ended
   */
  async run({ project, tests, entries }: Selection, timeoutMs?: number): Promise<TestRun | undefined> {
    const titles = `(^| )(${entries.map(({ id }) => titleOf(id)).join('|')})`;
    const report = join(this.#folder, '.jest-report.json');
    const jest = spawn(
      process.execPath,
      [
        join(this.#folder, 'node_modules/jest/bin/jest.js'),
        // A broken product may leave things open that nobody will close.
        '--forceExit',
        ...['--selectProjects', project, '--json', '--outputFile', report, '-t', titles],
        ...['--cacheDirectory', join(this.#folder, '.jest-cache'), '--runTestsByPath', ...tests],
      ],
      {
        cwd: this.#folder,
        stdio: 'ignore',
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        env: { ...process.env, FAULT_SEEDS: '3' },
      },
    );
    const [, signal] = (await once(jest, 'close')) as [number | null, string | null];
    return signal === null ? readReport(JSON.parse(readFileSync(report, 'utf8')) as JestReport) : undefined;
  }
}

function readReport({ numRuntimeErrorTestSuites, testResults }: JestReport): TestRun {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === 'failed');
  const noneBegan = failed.length > 0 && failed.every(({ duration }) => duration === 0);
  return {
    isUnrun: numRuntimeErrorTestSuites > 0 || noneBegan,
    countsOf({ id }) {
      const own = results.filter(({ ancestorTitles, title }) =>
        [...ancestorTitles, title].some((text) => new RegExp(`^${titleOf(id)}`).test(text)),
      );
      const count = (wanted: string) => own.filter(({ status }) => status === wanted).length;
      return { failed: count('failed'), passed: count('passed') };
    },
  };
}

/** The beginning of a title, as a regular expression. */
function titleOf(id: string): string {
  return `${id.replaceAll(/[^\w ]/g, '\\$&')}(?!\\w)`;
}
