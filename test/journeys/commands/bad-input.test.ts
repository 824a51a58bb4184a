import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { type CommandOptions, documentOf, runLatchkey } from '../support/command';
import { PROJECT_ROOT } from '../support/local-process';
import { OperatedTenant } from '../support/operated-tenant';
import { RunningSystem } from '../support/running-system';

/** What a command must refuse, and that it then has done nothing. */
const CANARY = 'canary-pQ3xZ8';

let system: RunningSystem;
let tenant: OperatedTenant;
let before: object;

beforeAll(async () => {
  system = await RunningSystem.start(['--no-job']);
  tenant = new OperatedTenant(system, 'staging', 'global');
  await tenant.give('credentials put', await tenant.newPair());
  before = await everyLabel();
});

afterAll(() => system.stop());

async function everyLabel(): Promise<object> {
  return { pair: await tenant.labels('client-credentials'), key: await tenant.labels('api-key') };
}

interface Refusal {
  words: string;
  input?: string;
  exitCode: number;
  says: RegExp;
}

const pair = (clientId: unknown, clientSecret: unknown) => JSON.stringify({ clientId, clientSecret });
const key = (apiKey: unknown, validUntil: unknown) => JSON.stringify({ apiKey, validUntil });

const REFUSED: Refusal[] = [
  { words: 'credentials put', exitCode: 2, says: /standard input: found nothing/ },
  { words: 'credentials put', input: `{"clientId":"${CANARY}`, exitCode: 2, says: /standard input: found/ },
  { words: 'credentials put', input: `["${CANARY}"]`, exitCode: 2, says: /standard input: found/ },
  {
    words: 'credentials put',
    input: `{"clientId":"${CANARY}"}`,
    exitCode: 2,
    says: /clientSecret: found nothing/,
  },
  { words: 'credentials put', input: pair(CANARY, ''), exitCode: 2, says: /clientSecret: found nothing/ },
  { words: 'credentials put', input: pair(CANARY, 7), exitCode: 2, says: /clientSecret: found no text/ },
  { words: 'credentials put', input: pair(CANARY, `${CANARY}\nx`), exitCode: 2, says: /clientSecret/ },
  {
    words: 'credentials put',
    input: key(CANARY, '2099-01-01'),
    exitCode: 2,
    says: /only the fields clientId/,
  },
  {
    words: 'credentials put',
    input: pair(CANARY, CANARY.repeat(9_000)),
    exitCode: 2,
    says: /more than 65536 bytes/,
  },
  {
    words: 'credentials put',
    input: pair(CANARY, CANARY),
    exitCode: 77,
    says: /refuses the client-credentials/,
  },
  { words: 'api-key put', input: key(CANARY, 'soon'), exitCode: 2, says: /validUntil: found something else/ },
  { words: 'api-key put', input: key(CANARY, '2020-01-01'), exitCode: 77, says: /valid until 2020/ },
  {
    words: 'api-key generate',
    input: pair(CANARY, CANARY),
    exitCode: 2,
    says: /only the fields authorization/,
  },
  {
    words: 'api-key generate',
    input: JSON.stringify({ authorization: CANARY, correlationId: CANARY }),
    exitCode: 2,
    says: /the word Bearer/,
  },
  {
    words: 'api-key generate',
    input: JSON.stringify({ authorization: `Bearer ${CANARY}`, correlationId: CANARY }),
    exitCode: 77,
    says: /refused the session/,
  },
  { words: `credentials put --client-secret ${CANARY}`, exitCode: 64, says: /have it replaced/ },
  { words: `credentials put ${CANARY}`, exitCode: 64, says: /have it replaced/ },
  { words: `api-key put --api-key=${CANARY}`, exitCode: 64, says: /have it replaced/ },
  { words: `api-key generate --authorization ${CANARY}`, exitCode: 64, says: /have it replaced/ },
  { words: 'credentials put --forse', exitCode: 2, says: /unknown option --forse/ },
  { words: 'credentials rotate', exitCode: 1, says: /no new client-credentials or api-key is staged/ },
  { words: 'credentials rotate --kind password', exitCode: 2, says: /--kind: found password; allowed/ },
  { words: 'credentials revoke-previous', exitCode: 1, says: /there is no previous/ },
  { words: 'rollback', exitCode: 1, says: /there is no previous/ },
  { words: 'rollback --kind api-key', exitCode: 1, says: /there is no previous api-key/ },
  { words: 'status --watch', exitCode: 2, says: /--watch: found no terminal/ },
  { words: 'doctor --fix', exitCode: 2, says: /--fix: found nobody who could agree/ },
  { words: 'token show', exitCode: 2, says: /--interface: found nothing; allowed/ },
  {
    words: 'token show --interface content --scope api/all',
    exitCode: 2,
    says: /--scope: found api\/all; allowed/,
  },
  { words: 'token show --interface content --scope api/read --reveal', exitCode: 2, says: /--reveal: found/ },
  { words: 'token refresh --interface postal', exitCode: 2, says: /--interface: found postal; allowed/ },
  { words: 'token refresh --all --scope api/read', exitCode: 2, says: /--all: found together/ },
  { words: 'token mint', exitCode: 2, says: /unknown command mint; allowed/ },
];

it.each(REFUSED)('refuses $words ($exitCode, $says)', async ({ words, input, exitCode, says }) => {
  const options: CommandOptions = input === undefined ? {} : { input };

  const result = await tenant.run(`${words} --json`, options);

  expect(result).toMatchObject({ exitCode });
  expect(result.stderr).toMatch(says);
  expect(documentOf(result)).toMatchObject({ error: { message: expect.any(String) as string } });
  expect(`${result.stdout}${result.stderr}`).not.toContain(CANARY);
});

it.each([
  [
    'tenant',
    ['--environment', 'staging', '--platform-region', 'global', '--tenant', 'nobody'],
    /--tenant: found nobody; allowed: eu-west-2_StagingOne/,
  ],
  ['environment', ['--environment', 'moon'], /--environment: found moon; allowed: staging, production/],
  [
    'region without a fit',
    ['--environment', 'staging', '--platform-region', 'moon'],
    /--platform-region: found moon; allowed/,
  ],
  ['tenant, where several fit', [], /--environment: found nothing; allowed/],
] as const)('refuses a wrong %s, and lists what there is', async (_, flags, says) => {
  const { stateDir } = system.process;

  const result = await runLatchkey(['credentials', 'put', ...flags, '--local', '--state-dir', stateDir]);

  expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  expect(result.stderr).toMatch(says);
});

it.each(['init', 'credentials', 'nonsense'])('says for %s alone what is wrong', async (words) => {
  const result = await runLatchkey([words]);

  expect(result).toMatchObject({ exitCode: 2, stdout: '' });
  expect(result.stderr).toMatch(/allowed: /);
});

// What is typed there would be echoed, and nobody sees the question.
it('takes no secret from a terminal whose questions go elsewhere', async () => {
  const { stateDir } = system.process;
  const words = ['credentials', 'put', ...tenant.flags, '--local', '--state-dir', stateDir].join(' ');
  const shell = `${process.execPath} ${join(PROJECT_ROOT, 'bin/latchkey.cjs')} ${words} 2>&3`;
  const child = spawn('script', ['--quiet', '--return', '--command', shell, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });

  // One that reads would wait for somebody to type.
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000);

  const [screen, messages] = await Promise.all([
    text(child.stdout),
    text(child.stdio[3] as NonNullable<typeof child.stdout>),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  clearTimeout(limit);

  expect(child.exitCode).toBe(2);
  expect(messages).toContain('standard error: found no terminal');
  expect(screen).toBe('');
});

it('has done nothing of all that', async () => {
  expect(await everyLabel()).toEqual(before);
});
