import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DEFAULT_SEED, parseSeed } from '../../../platform/sandbox/seed';
import { type RunningSandbox, startOnSeparatePorts } from '../../../platform/sandbox/separate-ports';
import { readRecipes } from './support/recipes';

const PAGE = readFileSync(join(__dirname, '../../../docs/sandbox.md'), 'utf8');
/** Printed behind each recipe, so that what it printed can be told from what the next one does. */
const END = '-- end of recipe --';
/** Where curl, bash and Node do not get enough of a busy machine. */
const TIMEOUT_MS = 60_000;

const [names, ...recipes] = readRecipes(PAGE, '## Recipes');
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

/** Pastes blocks into one shell, one after the other, until one fails. */
async function paste(blocks: readonly string[]) {
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, sandbox.caCertificate);
  const script = blocks.map((block) => `${block}\nprintf '%s\\n' '${END}'`).join('\n');
  const shell = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    // Neither proxies nor a configuration of curl.
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

test('the first block sets the names that the others start from', () => {
  expect(names!.block.replaceAll(/=.*/g, '')).toBe('SANDBOX\nCA');
});

test('no recipe puts a secret into an argument, or follows a redirect', () => {
  const secrets = /\$\{?(CLIENT_SECRET|TOKEN|HOOK_TOKEN|API_KEY|AUTHORIZATION|CREDENTIAL|SESSION)\b/;
  const lines = recipes.flatMap(({ block }) => block.replaceAll('\\\n', '').split('\n'));

  const shown = lines.filter((line) => secrets.test(line.replaceAll(/printf [^|)]*/g, '')));

  expect(shown).toEqual([]);
  expect(lines.filter((line) => /--location|(^|\s)-L\b/.test(line))).toEqual([]);
});

test.each(recipes.map(({ block, expected }, n) => [block.split('\n')[0], n, expected] as const))(
  '%s … prints what the page says',
  (_, n, expected) => {
    const printed = run.printed[n];

    expect({ printed, ...(printed === undefined && run) }).toEqual({
      printed: expect.stringMatching(expected) as string,
    });
  },
);

test('the seed file of the page can be used as it stands', () => {
  const [, seed = ''] = /^```json\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];

  expect(parseSeed(JSON.parse(seed)).cells).toHaveLength(1);
});

test('every operation of the control is on the page', async () => {
  const answer = await sandbox.app.request('/_sandbox/openapi/control.json');
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };

  const names = Object.keys(paths).map((path) => path.replace('/_sandbox', '').replace(/\/\{.*/, ''));

  expect(names.filter((name) => !PAGE.includes(`${name}\``) && !PAGE.includes(`${name} `))).toEqual([]);
});

test('no recipe makes the sandbox fail by itself', () => {
  expect(unexpectedErrors).toEqual([]);
});
