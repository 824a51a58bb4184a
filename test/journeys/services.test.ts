import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

import { type TokenValue } from '../../core/secrets/secret-values';
import { InstalledExample, type RunningProgram } from '../support/package/installed-example';
import {
  archivedContents,
  loadWithTokens,
  type Place,
  placeOf,
  replaceCredential,
  sweep,
  tokenArn,
} from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { OperatedTenant } from './support/operated-tenant';
import { contentRequests } from './support/restore-calls';
import { blocksOf, installCommand } from './support/runbook';
import { RunningSystem } from './support/running-system';

/** Services and scripts read tokens and restore content, as the recipes, the examples and the blocks of the pages do. */
const RECIPES = join(PROJECT_ROOT, 'docs/recipes');
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
  system = await RunningSystem.startPart(['latchkey-staging-global', 'latchkey-staging-mea'], ['--no-job']);
  installCommand(folder, system);
  place = placeOf(system, 'staging', 'mea');
  served = placeOf(system, 'staging', 'global');
  for (const each of [place, served]) {
    await loadWithTokens(each);
  }
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

/** Runs a program, and returns its exit code and output. */
function run(program: string, args: string[], more: Record<string, string> = environment()) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...more },
  });
  return { status, stdout, stderr };
}

/** Runs a script with nothing that a page should set itself. */
const runInShell = (script: string, more = {}) =>
  run('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    LATCHKEY_STATE_DIR: system.process.stateDir,
    ...more,
  });

/** The shell blocks of a part of a page, for this system’s state directory and from any folder. */
function blocksBetween(file: string, from: string, to: string): string {
  const page = readFileSync(join(PROJECT_ROOT, 'docs', file), 'utf8');
  const text = page.slice(page.indexOf(from), page.indexOf(to));
  return blocksOf({ file, text }, 'sh')
    .join('\n')
    .replaceAll('.latchkey/', `${system.process.stateDir}/`)
    .replaceAll('npx latchkey', `node '${join(PROJECT_ROOT, 'bin/latchkey.cjs')}'`);
}

const contentsUrl = ({ deployment } = place) => `${deployment.platform.contentBaseUrl}/contents`;
const storedToken = (of = place) => system.secret<TokenValue>(tokenArn(of, 'api/read'));
/** Stores another value in place of a token that nothing else reads. */
const storeInstead = (value: unknown) =>
  system.putSecret(system.administrator, tokenArn(place, 'api/write'), value);
const python = (secretId: string, ...more: string[]) =>
  run('python3', [join(RECIPES, 'read_token.py'), secretId, contentsUrl(), ...more]);
const shell = (secretId: string, more: Record<string, string> = {}) =>
  run(join(RECIPES, 'read-token.sh'), [secretId, contentsUrl()], { ...environment(), ...more });

describe('the Python recipe', () => {
  withPython('calls the platform with the stored token, and with another if that is refused', async () => {
    const arn = tokenArn(place, 'api/read');

    const called = python(arn);
    await replaceCredential(place);
    const refused = python(arn);
    const renewed = python(arn, place.deployment.functions.tokenRefresh!);

    expect([called, renewed]).toEqual(
      [called, renewed].map(() => ({ status: 0, stdout: '200\n', stderr: '' })),
    );
    expect(refused).toMatchObject({ status: 1, stdout: '401\n' });
  });

  withPython('never sends the token to a redirect target', async () => {
    const before = await contentRequests(system, '/elsewhere');
    await system.control('POST', '/faults', {
      target: 'content',
      status: 302,
      headers: { location: `${place.deployment.platform.contentBaseUrl}/elsewhere` },
      times: 1,
    });

    expect(python(tokenArn(place, 'api/read'))).toMatchObject({ status: 1, stdout: '302\n' });
    expect(await contentRequests(system, '/elsewhere')).toBe(before);
  });

  withPython.each<[string, unknown]>([
    ['no JSON', CANARY],
    ['no token', { clientSecret: CANARY }],
    ['a token of two lines', TWO_LINES],
  ])('reports in one line that the secret holds %s, without showing its value', async (_, value) => {
    await storeInstead(value);

    const { status, stdout, stderr } = python(tokenArn(place, 'api/write'));

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^read_token: .*\n$/);
    expect(stderr).not.toContain(CANARY);
  });

  withPython('reports a missing secret in one line', () => {
    const { status, stderr } = python('latchkey/none');

    expect(status).toBe(1);
    expect(stderr).toMatch(/^read_token: .*ResourceNotFoundException.*\n$/);
  });
});

describe('the shell recipe', () => {
  withShell('calls the platform with the stored token, which is no argument of curl', async () => {
    await sweep(place);
    const { accessToken } = await storedToken();
    const called = shell(tokenArn(place, 'api/read'));
    // Shadows the real curl, and prints its arguments and input.
    const bin = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(bin, 'curl'), '#!/bin/sh\necho "$*"\ncat\n', { mode: 0o755 });

    const [args, input] = shell(tokenArn(place, 'api/read'), {
      PATH: `${bin}:${process.env.PATH}`,
    }).stdout.split('\n');

    expect(called).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(called.stdout)).toBeInstanceOf(Object);
    expect(args).not.toContain(accessToken);
    expect(input).toBe(`Authorization: Bearer ${accessToken}`);
  });

  withShell.each<[string, object, string]>([
    ['an expired token', { accessToken: CANARY, expiresAt: '2020-01-01T00:00:00Z' }, 'the token has run out'],
    ['no token', { clientSecret: CANARY }, 'the secret holds no token'],
    ['a token of two lines', TWO_LINES, 'the secret holds no token'],
  ])('sends nothing if the secret holds %s, and does not show it', async (_, value, message) => {
    const before = await contentRequests(system, '/contents');
    await storeInstead(value);

    const { status, stdout, stderr } = shell(tokenArn(place, 'api/write'));

    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
    expect(stdout + stderr).not.toContain(CANARY);
    expect(await contentRequests(system, '/contents')).toBe(before);
  });

  it.each([[[]], [['secret', 'http://platform.example/']], [['secret', '-K/etc/passwd']]])(
    'prints its usage: %j',
    (args) => {
      expect(run(join(RECIPES, 'read-token.sh'), args)).toEqual({
        status: 2,
        stdout: '',
        stderr: 'usage: read-token.sh SECRET_ID https://…\n',
      });
    },
  );
});

describe('the blocks of', () => {
  withShell(
    'docs/read-tokens.md read a token on the laptop, and replace one that an API refused',
    async () => {
      await sweep(place);
      const before = await storedToken();
      const reading = blocksBetween('read-tokens.md', '#', '## Grant the right');
      const ofThisTenant = blocksBetween(
        'read-tokens.md',
        '## When an API answers 401',
        '## The client library',
      )
        // Version 1 of the AWS CLI has no other format.
        .replace(isAwsCli2 ? '' : '--cli-binary-format raw-in-base64-out', '')
        .replace('/staging/global/', '/staging/mea/')
        .replace('eu-west-2_AbcdEfghI', place.tenant.tenantId)
        .replace('…', createHash('sha256').update(before.accessToken).digest('hex'));

      const read = runInShell(reading);
      // A program cannot open /dev/stdout if that is a socket, as it is for a child of Node.
      const replaced = runInShell(`eval "$(node bin/latchkey.cjs local env)"; ${ofThisTenant} | cat`);

      expect([read, replaced]).toMatchObject([
        { status: 0, stderr: '' },
        { status: 0, stderr: '' },
      ]);
      expect(JSON.parse(read.stdout)).toBeInstanceOf(Object);
      expect(replaced.stdout).toContain('"refreshed":true');
      const after = await storedToken();
      expect(after.accessToken).not.toBe(before.accessToken);
      expect(replaced.stdout).not.toContain(after.accessToken);
    },
  );

  withShell('docs/restore-api.md restore with Basic and with Bearer, and list contents', async () => {
    const script = blocksBetween('restore-api.md', '### On the laptop', '### From a service on Node');

    const { status, stdout, stderr } = runInShell(`cd "${folder}"; ${script}`);

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const restored = stdout.trim().split('\n');
    expect(restored.map((line) => JSON.parse(line) as object)).toEqual(
      served.tenant.archivedContentIds.slice(0, 2).map((id) => ({
        id,
        status: 'published',
        items: expect.any(Array) as unknown,
      })),
    );
    expect(readFileSync(join(folder, 'ids.txt'), 'utf8')).toMatch(/^([0-9a-f]{24}\n){200}$/);
  });

  withShell(
    'docs/deploy.md load the credentials of each tenant from elsewhere, and again without harm',
    async () => {
      const page = readFileSync(join(PROJECT_ROOT, 'docs/deploy.md'), 'utf8');
      const text = page.slice(page.indexOf('## Credentials that are elsewhere now'));
      const [loop = ''] = blocksOf({ file: 'deploy.md', text }, 'sh');
      const tenants = [0, 1].map((index) => new OperatedTenant(placeOf(system, 'staging', 'global', index)));
      const pairs = await Promise.all(tenants.map((tenant) => tenant.newPair()));
      const { endpoint, region } = system.run.aws;
      const ssm = new SSMClient({ endpoint, region, credentials: system.run.aws });
      for (const [index, { clientId, clientSecret }] of pairs.entries()) {
        const Name = ['/platform/one', '/platform/two'][index]!;
        const Value = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
        await ssm.send(new PutParameterCommand({ Name, Value, Type: 'SecureString' }));
      }
      ssm.destroy();
      const stored = () =>
        Promise.all(tenants.map(({ place: { tenant } }) => system.secret(tenant.clientCredentialsArn)));
      // The command of the folder addresses this system.
      const runBlock = () =>
        runInShell(loop.replaceAll('npx latchkey', 'latchkey'), {
          ...environment(),
          PATH: `${folder}:${process.env.PATH}`,
        });

      const first = runBlock();
      const loaded = await stored();
      const again = runBlock();

      expect([first, again]).toMatchObject([{ status: 0 }, { status: 0 }]);
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
  TOKEN_SECRET_ID: tokenArn(served, 'api/read'),
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
      await sweep(served);
      const before = await storedToken(served);
      const headers = { authorization: `Bearer ${before.accessToken}` };
      const contents = await system.https('GET', contentsUrl(served), { headers });
      await start();

      const answer = await fetch(url);
      await replaceCredential(served);
      const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(url)));

      expect(await answer.json()).toEqual(contents.body);
      expect([answer, ...answers].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      const after = await storedToken(served);
      expect(after.accessToken).not.toBe(before.accessToken);
      for (const { accessToken } of [before, after]) expect(server.output).not.toContain(accessToken);
    },
  );

  its('answers 503 without a token, and shows nothing of the secret', async () => {
    const kept = await storedToken(served);
    const unusable = { ...kept, accessToken: TWO_LINES.accessToken };
    await system.putSecret(system.administrator, tokenArn(served, 'api/read'), unusable);
    await start();

    const { status } = await fetch(url);

    await system.putSecret(system.administrator, tokenArn(served, 'api/read'), kept);
    expect(status).toBe(503);
    expect(server.output).not.toContain(CANARY);
  });
});

it('the job of the example node-service prints the archived contents of the tenant', async () => {
  const job = await examples['node-service']!.node(['dist/archived.cjs'], serviceEnvironment());

  expect(job).toMatchObject({ status: 0, stderr: '' });
  expect(job.stdout.trim().split('\n').sort()).toEqual((await archivedContents(served)).sort());
});
