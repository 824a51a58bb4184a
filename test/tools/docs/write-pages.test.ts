import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const DOCUMENT = 'docs/events/token-renewed.json';
const PAGE = 'docs/command.md';

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'latchkey-docs-'));
  for (const folder of ['config', 'docs'])
    cpSync(join(ROOT, folder), join(project, folder), { recursive: true });
});
afterAll(() => rmSync(project, { recursive: true }));

/** The program as npm runs it, in the project. */
function run(...args: string[]) {
  const program = [
    '--require',
    join(ROOT, 'node_modules/tsx/dist/cjs/index.cjs'),
    join(ROOT, 'tools/docs/write-pages.ts'),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], {
    cwd: project,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('names each page that differs from the code, and writes only those', () => {
  const written = [DOCUMENT, PAGE].map((file) => readFileSync(join(project, file), 'utf8'));
  writeFileSync(join(project, DOCUMENT), written[0]!.replace('"openapi"', '"spoiled"'));
  writeFileSync(
    join(project, PAGE),
    `A sentence of a person.\n${written[1]!.replace('### Options', '### Spoiled')}`,
  );

  const checked = run('--check', 'docs/events/token', 'docs/command');
  const wrote = run('docs/events/token', 'docs/command');

  expect(checked).toMatchObject({ status: 1, stdout: '' });
  expect(checked.stderr).toMatch(
    /^docs\/command.md is stale; run: npm run docs\n[^]*^docs\/events\/token-renewed.json is stale; run: npm run docs\n@@.*\n[^]*^-\s+"spoiled": .*\n\+\s+"openapi": /m,
  );
  expect(wrote).toEqual({ status: 0, stdout: `wrote ${PAGE}\nwrote ${DOCUMENT}\n`, stderr: '' });
  expect([DOCUMENT, PAGE].map((file) => readFileSync(join(project, file), 'utf8'))).toEqual([
    written[0],
    `A sentence of a person.\n${written[1]}`,
  ]);
});

it('shows in the report of an entry what its users lose and gain', () => {
  const report = 'docs/api/reports/client.api.md';
  const written = readFileSync(join(project, report), 'utf8');
  writeFileSync(join(project, report), written.replace('nowMs(): number', 'nowMs(): bigint'));

  const { status, stderr } = run('--check', 'docs/api');

  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^docs\/api\/reports\/client.api.md is stale; run: npm run docs\n@@.*\n- {4}nowMs\(\): bigint;\n\+ {4}nowMs\(\): number;\n$/,
  );
});

it('rejects what is not the beginning of a page', () => {
  expect(run('--chekc')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'page: found --chekc; allowed: --check, and what the path of a generated page begins with\n',
  });
});
