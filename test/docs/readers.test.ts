import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createSandbox, type Sandbox } from 'learning-platform-sandbox';

import { type LocalSecretCache, startLocalSecretCache } from './support/local-secret-cache';

const RECIPE = join(__dirname, '../../docs/recipes/read_token_from_cache.py');
const SECRET_ID = 'latchkey/staging/global/eu-west-2_StagingGl/token/content/api-read';
const CACHE_TOKEN = 'canary-of-the-cache';
const HOUR_MS = 3_600_000;
const withPython = spawnSync('python3', ['--version']).status === 0 ? describe : describe.skip;

let folder: string;
let sandbox: Sandbox;
let cache: LocalSecretCache | undefined;
let stored: string | undefined;
let tokens: string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-readers-'));
  sandbox = await createSandbox();
  writeFileSync(join(folder, 'ca.pem'), sandbox.caCertificate);
  writeFileSync(join(folder, 'awssmatoken'), `${CACHE_TOKEN}\n`);
});
beforeEach(() => {
  sandbox.reset();
  tokens = [];
  store();
});
afterEach(async () => {
  await cache?.stop();
  cache = undefined;
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true });
});

/** Stores a new token, as token-refresh does. */
function store(lifeMs = HOUR_MS): void {
  const accessToken = sandbox.issueToken(sandbox.tenants[0]);
  tokens.push(accessToken);
  stored = JSON.stringify({ accessToken, expiresAt: new Date(Date.now() + lifeMs).toISOString() });
}

/** The two caches: their parameters, where their callers find the token for the header, and how the recipe is called. */
const CACHES = {
  extension: { parameters: ['versionId', 'versionStage'], env: { AWS_SESSION_TOKEN: CACHE_TOKEN }, args: [] },
  agent: {
    parameters: ['versionId', 'versionStage', 'refreshNow'],
    get env() {
      return { AWS_TOKEN: `file://${join(folder, 'awssmatoken')}` };
    },
    args: ['agent'],
  },
};

/** Runs the recipe against a cache, which it starts if there is none. */
async function run(kind: keyof typeof CACHES, environment: object = {}) {
  const { parameters, env, args } = CACHES[kind];
  cache ??= await startLocalSecretCache({ parameters, token: CACHE_TOKEN, readSecret: () => stored });
  const url = `${sandbox.addresses(sandbox.tenants[0]).contentBaseUrl}/contents`;
  const variables = {
    PATH: process.env.PATH,
    SSL_CERT_FILE: join(folder, 'ca.pem'),
    PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: cache.port,
    HTTP_PROXY: 'http://127.0.0.1:9',
    ...env,
    ...environment,
  };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile('python3', [RECIPE, SECRET_ID, url, ...args], { env: variables }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const sent = () => sandbox.requests().map(({ status }) => status);

withPython.each(['extension', 'agent'] as const)('the recipe for a cache, with the %s', (kind) => {
  it('calls the platform with the stored token, and shows it nowhere', async () => {
    const result = await run(kind);

    expect(result).toEqual({ code: 0, stdout: '200\n', stderr: '' });
    expect(sent()).toEqual([200]);
  });

  it('says in one line that the cache refuses its header', async () => {
    const { code, stdout, stderr } = await run(kind, { AWS_TOKEN: 'wrong' });

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(`read_token: the cache answered 403 for ${SECRET_ID}\n`);
  });

  it.each([
    ['no JSON', 'canary'],
    ['a token of two lines', '{"accessToken":"canary\\nx: y","expiresAt":"2099-01-01T00:00:00Z"}'],
  ])('says in one line that the secret holds %s, without its value', async (_, value) => {
    stored = value;

    const { code, stdout, stderr } = await run(kind);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^read_token: .*holds no token\n$/);
    expect(stderr).not.toContain('canary');
    expect(sent()).toEqual([]);
  });

  it('never sends the token to a redirect target', async () => {
    const location = `${sandbox.addresses(sandbox.tenants[0]).contentBaseUrl}/elsewhere`;
    sandbox.faults.add({ target: 'content', status: 302, headers: { location } });

    expect(await run(kind)).toMatchObject({ code: 1, stdout: '302\n' });
    expect(sent()).toEqual([302]);
  });
});

withPython('a cache that holds a token for too long', () => {
  it('is passed by with refreshNow if the token is about to expire', async () => {
    store(59_000);
    await run('agent');
    store();
    await sandbox.control('DELETE', '/tokens', { accessToken: tokens.at(-2) });

    expect(await run('agent')).toMatchObject({ code: 0, stdout: '200\n' });
  });

  it('is passed by with refreshNow if the platform refuses the token', async () => {
    await run('agent');
    await sandbox.control('DELETE', '/tokens', { accessToken: tokens.at(-1) });
    store();
    sandbox.reset();

    expect(await run('agent')).toMatchObject({ code: 0, stdout: '200\n' });
    expect(sent()).toEqual([401, 200]);
  });

  it('of the extension cannot be passed by: an expired token is not sent, a refused one is reported', async () => {
    store(-1);
    const expired = await run('extension');
    expect(expired).toMatchObject({ code: 1, stderr: `read_token: the token in ${SECRET_ID} has run out\n` });
    expect(sent()).toEqual([]);

    await cache?.stop();
    cache = undefined;
    store();
    await sandbox.control('DELETE', '/tokens', { accessToken: tokens.at(-1) });
    expect(await run('extension')).toMatchObject({ code: 1, stdout: '401\n' });
  });
});
