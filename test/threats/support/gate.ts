import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { type ListedTest } from '../../support/test-titles';
import { THREATS } from '../threats';
import { judge, type Verdict } from './judge';

/** Lines of tests that the gate repeats below its table. */
const FIGURES = /^canaries: .*$/gm;

/** What jest writes with `--json`. */
interface JestResults {
  testResults: {
    name: string;
    assertionResults: { ancestorTitles: string[]; title: string; status: string }[];
  }[];
}

/**
 * `npm run test:threats [-- T1 …]` runs the tests that the list of threats names, prints what they say of each threat, and
 * exits with 1 if a threat has no proof, or a proof or its hole is missing or did not pass.
 */
async function main(ids: readonly string[]): Promise<void> {
  const unknown = ids.find((id) => THREATS.every((threat) => threat.id !== id));
  if (unknown !== undefined) {
    process.stderr.write(`threat: found ${unknown}; allowed: ${THREATS.map(({ id }) => id).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  const threats = THREATS.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const files = [...new Set(threats.flatMap(({ proofs, holes }) => Object.keys({ ...proofs, ...holes })))];
  const { tests, figures } = await run(files.filter((file) => existsSync(file)));
  const verdicts = threats.map((threat) => judge(threat, (file) => tests.get(resolve(file)) ?? []));

  process.stdout.write(`\n${table(verdicts)}\n${figures.join('\n')}\n`);
  const faults = verdicts.flatMap((verdict) =>
    verdict.faults.map((fault) => `${verdict.threat.id} ${fault}`),
  );
  if (faults.length === 0) return;
  process.stderr.write(`\n${faults.join('\n')}\n`);
  process.exitCode = 1;
}

/** Runs test files with jest, and shows its output. */
async function run(files: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-threats-'));
  const outputFile = join(folder, 'results.json');
  try {
    const jest = [require.resolve('jest/bin/jest'), '--json', '--outputFile', outputFile];
    const child = spawn(process.execPath, [...jest, '--runTestsByPath', ...files], {
      // Standard output has the results once more.
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      process.stderr.write(text);
    });
    await new Promise((ended) => child.once('close', ended));
    if (!existsSync(outputFile)) throw new Error('jest ended without results');
    const tests = new Map<string, ListedTest[]>();
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as JestResults;
    for (const { name, assertionResults } of testResults) {
      const listed = assertionResults.map(({ ancestorTitles, title, status }) => ({
        title: [...ancestorTitles, title].join(' › '),
        status,
      }));
      tests.set(name, listed);
    }
    return { tests, figures: [...printed.matchAll(FIGURES)].map(([line]) => line) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function table(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ threat }) => threat.name.length));
  const row = (id: string, name: string, ...counts: unknown[]) =>
    [id.padEnd(4), name.padEnd(width), ...counts.map((count) => String(count).padStart(7))].join(' ');
  return [
    row('', 'threat', 'proofs', 'laptop', 'holes', ''),
    ...verdicts.map(({ threat, passed, faults }) =>
      row(threat.id, threat.name, ...Object.values(passed), faults.length === 0 ? 'ok' : 'FAILED'),
    ),
  ].join('\n');
}

void main(process.argv.slice(2));
