import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DEFAULT_SEED, parseSeed } from '../../src/sandbox/seed';
import { type RunningSandbox, startOnSeparatePorts } from '../../src/sandbox/listening-sandbox';
import { readRecipes } from './support/recipes';

const page = (name: string) => readFileSync(join(__dirname, '../../../../docs', name), 'utf8');
const [, SEED_SECTION = ''] = page('sandbox.md').split('## The seed file');
const [, CONTROL_SECTION = ''] = SEED_SECTION.split('## Control');
/** Separates the outputs of the recipes. */
const END = '-- end of recipe --';
/** For a busy machine. */
const TIMEOUT_MS = 60_000;

const [names, ...recipes] = readRecipes(page('sandbox-recipes.md'));
const unexpectedErrors: Error[] = [];
let folder: string;
let sandbox: RunningSandbox;
let run: { printed: string[]; complaints: string };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-recipes-'));
  const onUnexpectedError = (error: Error) => unexpectedErrors.push(error);
  sandbox = await startOnSeparatePorts(DEFAULT_SEED, 0, { onUnexpectedError });
  run = await paste(recipes.map(({ block }) => block));
}, TIMEOUT_MS);
afterAll(async () => {
  await sandbox?.close();
  rmSync(folder, { recursive: true });
});

/** Runs the blocks in one shell, in order, until one fails. */
async function paste(blocks: readonly string[]) {
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, sandbox.caCertificate);
  const script = blocks.map((block) => `${block}\nprintf '%s\\n' '${END}'`).join('\n');
  const shell = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    // Without proxies and without a curl configuration.
    env: { PATH: process.env.PATH, HOME: folder, SANDBOX: sandbox.addresses.control, CA: caFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complaints] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close'),
  ]);
  return { printed: printed.split(`${END}\n`), complaints };
}

test('the first block sets SANDBOX and CA', () => {
  expect(names!.block.replaceAll(/=.*/g, '')).toBe('SANDBOX\nCA');
});

test('no recipe passes a secret as an argument or follows a redirect', () => {
  const secrets = /\$\{?(CLIENT_SECRET|TOKEN|HOOK_TOKEN|API_KEY|AUTHORIZATION|CREDENTIAL|SESSION)\b/;
  const lines = recipes.flatMap(({ block }) => block.replaceAll('\\\n', '').split('\n'));

  const shown = lines.filter((line) => secrets.test(line.replaceAll(/printf [^|)]*/g, '')));

  expect(shown).toEqual([]);
  expect(lines.filter((line) => /--location|(^|\s)-L\b/.test(line))).toEqual([]);
});

test.each(recipes.map(({ block, expected }, n) => [block.split('\n')[0], n, expected] as const))(
  '%s … prints the output on the page',
  (_, n, expected) => {
    const printed = run.printed[n];

    expect({ printed, ...(printed === undefined && run) }).toEqual({
      printed: expect.stringMatching(expected) as string,
    });
  },
);

test('the seed files on the page are valid', () => {
  const seeds = [...SEED_SECTION.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, seed = '']) =>
    parseSeed(JSON.parse(seed)),
  );

  expect(seeds.map(({ deployments, issuers }) => [deployments.length, issuers.length])).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

test('the page lists every control operation', async () => {
  const answer = await sandbox.app.request('/_sandbox/openapi/control.json');
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };

  const names = Object.keys(paths).map((path) => path.replace('/_sandbox', '').replace(/\/\{.*/, ''));

  expect(
    names.filter((name) => !CONTROL_SECTION.includes(`${name}\``) && !CONTROL_SECTION.includes(`${name} `)),
  ).toEqual([]);
});

test('no recipe causes an unexpected error in the sandbox', () => {
  expect(unexpectedErrors).toEqual([]);
});
