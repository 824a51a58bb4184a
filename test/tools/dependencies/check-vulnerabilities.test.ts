import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const PROGRAM = join(__dirname, '../../../tools/dependencies/check-vulnerabilities.cjs');
const AUDITED = { status: 0, json: { auditReportVersion: 2, vulnerabilities: {} } };
const SIGNED = { status: 0, json: { invalid: [], missing: [] } };

/** The folders with packages of their own that are checked. */
const OTHERS = ['tools/lint', 'test/mutation', 'test/packaging'];
const PLACES = ['', ...OTHERS.map((each) => ` in ${each}`)];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-vulnerabilities-'));
  for (const each of OTHERS) mkdirSync(join(folder, each), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Answer {
  status: number;
  json: object;
}

/** Runs the check with an npm that gives these answers, and without `--json` prints only that it reports. */
function check(answers: { audit: Answer; signatures: Answer }, ...args: string[]) {
  const answer = ({ status, json }: Answer) =>
    `case "$*" in *--json*) echo '${JSON.stringify(json)}' ;; *) echo "npm's report" ;; esac; exit ${status}`;
  const npm = `#!/bin/sh
    case "$*" in *signatures*) ${answer(answers.signatures)} ;; *) ${answer(answers.audit)} ;; esac`;
  writeFileSync(join(folder, 'npm'), npm);
  chmodSync(join(folder, 'npm'), 0o755);
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: [folder, process.env.PATH].join(delimiter) },
  });
  return { status, stdout, stderr };
}

it('says that there is nothing to do', () => {
  expect(check({ audit: AUDITED, signatures: SIGNED })).toEqual({
    status: 0,
    stdout: PLACES.map((where) => `Known vulnerabilities${where}: none\nSignatures${where}: valid\n`).join(
      '',
    ),
    stderr: '',
  });
});

it.each([
  ['audit', { audit: { ...AUDITED, status: 1 }, signatures: SIGNED }],
  ['signatures', { audit: AUDITED, signatures: { ...SIGNED, status: 1 } }],
])('fails with the report of npm: %s', (_, answers) => {
  const { status, stdout } = check(answers);

  expect(status).toBe(1);
  expect(stdout).toContain("npm's report\n");
});

describe('if a registry does not answer', () => {
  const answers = {
    audit: { status: 1, json: { message: '405 Method Not Allowed', error: { summary: '', detail: '' } } },
    signatures: { status: 1, json: { error: { code: 'ENOTFOUND', summary: 'request failed' } } },
  };

  it('skips the check, and says so', () => {
    expect(check(answers)).toEqual({
      status: 0,
      stdout: '',
      stderr: PLACES.map(
        (where) =>
          `Known vulnerabilities${where}: SKIPPED, no answer: 405 Method Not Allowed\n` +
          `Signatures${where}: SKIPPED, no answer: request failed\n`,
      ).join(''),
    });
  });

  it('fails where an answer is required', () => {
    expect(check(answers, '--strict').status).toBe(1);
    expect(check({ ...answers, audit: AUDITED }, '--strict').status).toBe(1);
  });
});
