import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const PROGRAM = join(__dirname, '../../../tools/dependencies/check-vulnerabilities.cjs');
const AUDITED = { status: 0, json: { auditReportVersion: 2, vulnerabilities: {} } };
const SIGNED = { status: 0, json: { invalid: [], missing: [] } };

let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'latchkey-vulnerabilities-'))));
afterEach(() => rmSync(folder, { recursive: true }));

interface Answer {
  status: number;
  json: object;
}

/** Runs the check with an npm that gives these answers, and without `--json` prints only that it reports. */
function check(answers: { audit: Answer; signatures: Answer }, ...args: string[]) {
  const npm = `#!${process.execPath}
    const answers = ${JSON.stringify(answers)};
    const { status, json } = answers[process.argv.includes('signatures') ? 'signatures' : 'audit'];
    console.log(process.argv.includes('--json') ? JSON.stringify(json) : "npm's report");
    process.exit(status);`;
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
    stdout: 'Known vulnerabilities: none\nSignatures: valid\n',
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
      stderr:
        'Known vulnerabilities: SKIPPED, no answer: 405 Method Not Allowed\nSignatures: SKIPPED, no answer: request failed\n',
    });
  });

  it('fails where an answer is required', () => {
    expect(check(answers, '--strict').status).toBe(1);
    expect(check({ ...answers, audit: AUDITED }, '--strict').status).toBe(1);
  });
});
