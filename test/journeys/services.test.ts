import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PutParameterCommand } from '@aws-sdk/client-ssm';

import { InstalledExample, type RunningProgram } from '../support/package/installed-example';
import { type CommandResult } from './support/command';
import { PROJECT_ROOT } from './support/local-process';
import { blocksOf } from './support/pages';
import { type Place } from './support/place';
import { RunningSystem } from './support/running-system';
import { blockFor, installCommand, runShell } from './support/shell';

/** Services and scripts read tokens and restore content, as the recipes, the examples and the blocks of the pages do. */
const CANARY = 'canary-7f3a';
/** The package may have to be built first. */
const BUILD_TIMEOUT_MS = 300_000;
/** It would add a header to the request. */
const TWO_LINES = { accessToken: `${CANARY}\nx: y`, expiresAt: '2099-01-01T00:00:00Z' };

/** Whether all these commands work here; the recipes need their programs. */
const areThere = (...commands: string[][]) =>
  commands.every(([program, ...args]) => spawnSync(program!, args).status === 0);
const withPython = areThere(['python3', '-c', 'import boto3']) ? it : it.skip;
const isAwsCli2 = spawnSync('aws', ['--version'], { encoding: 'utf8' }).stdout?.startsWith('aws-cli/2');
const withShell = areThere(['aws', '--version'], ['jq', '--version'], ['curl', '--version']) ? it : it.skip;

let folder: string;
let system: RunningSystem;
let place: Place;
/** For the examples, which are written for this region. */
let served: Place;
const examples: Record<string, InstalledExample> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-services-'));
  for (const name of ['node-service', 'python-service']) examples[name] = new InstalledExample(name);
  await examples['node-service']!.compile();
  system = await RunningSystem.startConfigured((deployments) => void deployments.splice(2), ['--no-job']);
  installCommand(folder, system);
  place = system.place('staging', 'mea');
  served = system.place('staging', 'global');
  for (const each of [place, served]) await each.loadWithTokens();
}, BUILD_TIMEOUT_MS);
afterAll(async () => {
  await system.stop();
  await Promise.all(Object.values(examples).map((example) => example.remove()));
  rmSync(folder, { recursive: true });
});

/** The variables that lead the AWS SDKs and TLS to this system, as the administrator. */
function environment() {
  const { aws, caFile } = system.run;
  const ca = join(PROJECT_ROOT, caFile);
  return {
    AWS_ENDPOINT_URL: aws.endpoint,
    AWS_REGION: aws.region,
    AWS_DEFAULT_REGION: aws.region,
    AWS_ACCESS_KEY_ID: aws.accessKeyId,
    AWS_SECRET_ACCESS_KEY: aws.secretAccessKey,
    NODE_EXTRA_CA_CERTS: ca,
    SSL_CERT_FILE: ca,
    CURL_CA_BUNDLE: ca,
  };
}

/** Runs a block of a page, with nothing that the page should set itself. */
const runBlock = (script: string, more = {}) =>
  runShell(blockFor(system, script), {
    ...process.env,
    LATCHKEY_STATE_DIR: system.process.stateDir,
    ...more,
  });
const runRecipe = (command: string, more = {}) =>
  runShell(`docs/recipes/${command}`, { ...process.env, ...environment(), ...more });

const contentsUrl = ({ deployment } = place) => `${deployment.platform.contentBaseUrl}/contents`;
const readToken = (secretId: string, tokenRefresh = '') =>
  runRecipe(`read_token.py ${secretId} ${contentsUrl()} ${tokenRefresh}`);
const readTokenSh = (secretId: string, more = {}) =>
  runRecipe(`read-token.sh ${secretId} ${contentsUrl()}`, more);

/** Loads another credential, and makes the platform revoke the previous one with all its tokens. */
async function replaceCredential(of: Place): Promise<void> {
  const { clientId } = await of.pair();
  await of.loadPair();
  await of.revoke(clientId);
}

/** How many requests for a path of the content interface the platform has got. */
async function requestsFor(end: string): Promise<number> {
  const { requests } = await system.control<{ requests: { path: string; count: number }[] }>(
    'GET',
    '/counters',
  );
  return requests.reduce((sum, { path, count }) => sum + (path.endsWith(end) ? count : 0), 0);
}

/** Stores another value in place of a token that nothing else reads, and expects that a recipe neither sends nor shows it. */
async function expectUnused(
  recipe: (secretId: string) => Promise<CommandResult>,
  value: string | object,
  message: RegExp,
): Promise<void> {
  const before = await requestsFor('/contents');
  await system.putSecret(place.tokenArn('api/write'), value);

  const { exitCode, stdout, stderr } = await recipe(place.tokenArn('api/write'));

  expect(exitCode).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain(CANARY);
  expect(await requestsFor('/contents')).toBe(before);
}

describe('the Python recipe', () => {
  withPython('calls the platform with the stored token, and with another if that is refused', async () => {
    const arn = place.tokenArn('api/read');

    const called = await readToken(arn);
    await replaceCredential(place);
    const refused = await readToken(arn);
    const renewed = await readToken(arn, place.deployment.functions.tokenRefresh);

    const ok = { exitCode: 0, stdout: '200\n', stderr: '' };
    expect([called, renewed]).toEqual([ok, ok]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: '401\n' });
  });

  withPython('never sends the token to a redirect target', async () => {
    const location = `${place.deployment.platform.contentBaseUrl}/elsewhere`;
    await place.fail('content', { status: 302, headers: { location }, times: 1 });

    expect(await readToken(place.tokenArn('api/read'))).toMatchObject({ exitCode: 1, stdout: '302\n' });
    expect(await requestsFor('/elsewhere')).toBe(0);
  });

  withPython.each<[string, string | object, RegExp]>([
    ['no JSON', CANARY, /^read_token: the secret holds no token\n$/],
    ['no token', { clientSecret: CANARY }, /^read_token: 'accessToken'\n$/],
    ['a token of two lines', TWO_LINES, /^read_token: \S+ holds no token\n$/],
  ])('reports in one line that the secret holds %s, without showing it', (_, value, message) =>
    expectUnused(readToken, value, message),
  );

  withPython('reports a missing secret in one line', async () => {
    const { exitCode, stderr } = await readToken('latchkey/none');

    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^read_token: .*ResourceNotFoundException.*\n$/);
  });
});

describe('the shell recipe', () => {
  withShell('calls the platform with the stored token, which is no argument of curl', async () => {
    await place.sweep();
    const { accessToken } = await place.token('api/read');
    const called = await readTokenSh(place.tokenArn('api/read'));
    // Shadows the real curl, and prints its arguments and input.
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'curl'), '#!/bin/sh\necho "$*"\ncat\n', { mode: 0o755 });

    const shown = await readTokenSh(place.tokenArn('api/read'), { PATH: `${bin}:${process.env.PATH}` });

    expect(called).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(called.stdout)).toBeInstanceOf(Object);
    const [args, input] = shown.stdout.split('\n');
    expect(args).not.toContain(accessToken);
    expect(input).toBe(`Authorization: Bearer ${accessToken}`);
  });

  withShell.each<[string, object, RegExp]>([
    ['an expired token', { ...TWO_LINES, accessToken: CANARY, expiresAt: '2020-01-01T00:00:00Z' }, /run out/],
    ['no token', { clientSecret: CANARY }, /the secret holds no token/],
    ['a token of two lines', TWO_LINES, /the secret holds no token/],
  ])('sends nothing if the secret holds %s, and does not show it', (_, value, message) =>
    expectUnused(readTokenSh, value, message),
  );

  it.each(['', 'secret http://platform.example/', 'secret -K/etc/passwd'])(
    'prints its usage: %j',
    async (args) => {
      const usage = 'usage: read-token.sh SECRET_ID https://…\n';
      expect(await runRecipe(`read-token.sh ${args}`)).toEqual({ exitCode: 2, stdout: '', stderr: usage });
    },
  );
});

describe('the blocks of', () => {
  withShell(
    'docs/read-tokens.md read a token on the laptop, and replace one that an API refused',
    async () => {
      await place.sweep();
      const before = await place.token('api/read');
      const [reading = '', replacing = ''] = blocksOf('read-tokens.md');
      const { rejectedTokenSha256 } = await place.rejected('api/read');
      const ofThisTenant = replacing
        // Version 1 of the AWS CLI has no other format.
        .replace(isAwsCli2 ? '' : '--cli-binary-format raw-in-base64-out', '')
        .replace('/staging/global/', '/staging/mea/')
        .replace('eu-west-2_AbcdEfghI', place.tenant.tenantId)
        .replace('…', rejectedTokenSha256);

      const read = await runBlock(reading);
      // A program cannot open /dev/stdout if that is a socket, as it is for a child of Node.
      const replaced = await runBlock(`eval "$(npx latchkey local env)"; ${ofThisTenant} | cat`);

      const ok = { exitCode: 0, stderr: '' };
      expect([read, replaced]).toMatchObject([ok, ok]);
      expect(JSON.parse(read.stdout)).toBeInstanceOf(Object);
      expect(replaced.stdout).toContain('"refreshed":true');
      const after = await place.token('api/read');
      expect(after.accessToken).not.toBe(before.accessToken);
      expect(replaced.stdout).not.toContain(after.accessToken);
    },
  );

  withShell('docs/restore-api.md restore with Basic and with Bearer, and list contents', async () => {
    const blocks = blocksOf('restore-api.md#on-the-laptop');

    const { exitCode, stdout, stderr } = await runBlock([`cd "${folder}"`, ...blocks].join('\n'));

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const restored = stdout.trim().split('\n');
    expect(restored.map((line) => JSON.parse(line) as object)).toMatchObject(
      served.tenant.archivedContentIds.slice(0, 2).map((id) => ({ id, status: 'published' })),
    );
    expect(readFileSync(join(folder, 'ids.txt'), 'utf8')).toMatch(/^([0-9a-f]{24}\n){200}$/);
  });

  withShell(
    'docs/deploy.md load the credentials of each tenant from elsewhere, and again without harm',
    async () => {
      const [loop = ''] = blocksOf('deploy.md#credentials-that-are-elsewhere-now');
      const places = [0, 1].map((index) => system.place('staging', 'global', index));
      const pairs = await Promise.all(places.map((each) => each.newPair()));
      for (const [index, { clientId, clientSecret }] of pairs.entries()) {
        const Name = ['/platform/one', '/platform/two'][index]!;
        const Value = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
        const put = new PutParameterCommand({ Name, Value, Type: 'SecureString' });
        await system.administrator.ssm.send(put);
      }
      const stored = () => Promise.all(places.map((each) => each.pair()));
      // The command of the folder addresses this system.
      const more = { ...environment(), PATH: `${folder}:${process.env.PATH}` };
      const run = () => runBlock(loop.replaceAll('npx latchkey', 'latchkey'), more);

      const first = await run();
      const loaded = await stored();
      const again = await run();

      expect([first, again]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
      expect([loaded, await stored()]).toEqual([pairs, pairs]);
      const shown = JSON.stringify([first, again]);
      for (const { clientSecret } of pairs) expect(shown).not.toContain(clientSecret);
    },
  );
});

/** The variables that the examples’ services read besides those of AWS. */
const serviceEnvironment = () => ({
  ...environment(),
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  TENANT_ID: served.tenant.tenantId,
  CONTENT_BASE_URL: served.deployment.platform.contentBaseUrl!,
  TOKEN_REFRESH_ARN: served.deployment.functions.tokenRefresh!,
  TOKEN_SECRET_ID: served.tokenArn('api/read'),
  PORT: '0',
});

describe.each<[name: string, program: string, args: string[], its: jest.It]>([
  ['node-service', process.execPath, ['dist/server.mjs'], it],
  ['python-service', 'python3', ['service.py'], withPython],
])('the server of the example %s', (name, program, args, its) => {
  let server: RunningProgram;
  let url: string;
  const start = async () => {
    server = examples[name]!.start(program, args, serviceEnvironment());
    const [, port] = await server.printed(/^ready.*?(\d{4,5})/m);
    url = `http://127.0.0.1:${port}/`;
  };

  its(
    'answers with the tenant’s contents, also after the platform revoked the credential with all its tokens',
    async () => {
      await served.sweep();
      const before = await served.token('api/read');
      const authorization = await served.bearer('api/read');
      const contents = await system.send('GET', contentsUrl(served), { headers: { authorization } });
      await start();

      const answer = await fetch(url);
      await replaceCredential(served);
      const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));

      expect(await answer.json()).toEqual(JSON.parse(contents.text));
      expect([answer, ...answers].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      const after = await served.token('api/read');
      expect(after.accessToken).not.toBe(before.accessToken);
      for (const { accessToken } of [before, after]) expect(server.output).not.toContain(accessToken);
    },
  );

  its('answers 503 without a token, and shows nothing of the secret', async () => {
    const kept = await served.token('api/read');
    const unusable = { ...kept, accessToken: TWO_LINES.accessToken };
    await system.putSecret(served.tokenArn('api/read'), unusable);
    await start();

    const { status } = await fetch(url);

    await system.putSecret(served.tokenArn('api/read'), kept);
    expect(status).toBe(503);
    expect(server.output).not.toContain(CANARY);
  });
});

it('the job of the example node-service prints the archived contents of the tenant', async () => {
  const job = await examples['node-service']!.node(['dist/archived.cjs'], serviceEnvironment());

  expect(job).toMatchObject({ status: 0, stderr: '' });
  expect(job.stdout.trim().split('\n').sort()).toEqual((await served.archivedContents()).sort());
});
