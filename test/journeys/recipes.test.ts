import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';

import { type TokenValue } from '../../core/secrets/secret-values';
import { load, type Place, placeOf, replaceCredential, sweep, tokenArn } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { OperatedTenant } from './support/operated-tenant';
import { blocksOf, installCommand } from './support/runbook';
import { requestsTo as platformRequests, totalOf } from './support/restore-calls';
import { RunningSystem } from './support/running-system';

const RECIPES = join(PROJECT_ROOT, 'docs/recipes');

/** Whether all these commands work here; the recipes need their programs. */
const areThere = (...commands: string[][]) =>
  commands.every(([program, ...args]) => spawnSync(program!, args).status === 0);
const withPython = areThere(['python3', '-c', 'import boto3']) ? it : it.skip;
const isAwsCli2 = spawnSync('aws', ['--version'], { encoding: 'utf8' }).stdout?.startsWith('aws-cli/2');
const withShell = areThere(['aws', '--version'], ['jq', '--version'], ['curl', '--version']) ? it : it.skip;

let folder: string;
let system: RunningSystem;
let place: Place;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-recipes-'));
  system = await RunningSystem.start(['--no-job']);
  place = placeOf(system, 'staging', 'mea');
  await load(place);
  await sweep(place);
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a recipe against the system as the administrator, and returns its exit code and output. */
function run(program: string, args: string[], environment: object = {}) {
  const { aws, caFile } = system.run;
  const ca = join(PROJECT_ROOT, caFile);
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: aws.endpoint,
      AWS_DEFAULT_REGION: aws.region,
      AWS_ACCESS_KEY_ID: aws.accessKeyId,
      AWS_SECRET_ACCESS_KEY: aws.secretAccessKey,
      SSL_CERT_FILE: ca,
      CURL_CA_BUNDLE: ca,
      ...environment,
    },
  });
  return { status, stdout, stderr };
}

/** The shell blocks of a page, for this system’s state directory and from any folder. */
function scriptOf(file: string, text: string): string {
  return blocksOf({ file, text }, 'sh')
    .join('\n')
    .replaceAll('.latchkey/', `${system.process.stateDir}/`)
    .replaceAll('npx latchkey', `node '${join(PROJECT_ROOT, 'bin/latchkey.cjs')}'`);
}

/** Runs a script with nothing that a recipe should set itself. */
function runInShell(script: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    encoding: 'utf8',
    cwd: PROJECT_ROOT,
    env: { ...process.env, LATCHKEY_STATE_DIR: system.process.stateDir },
  });
  return { status, stdout, stderr };
}

const contentsUrl = () => `${place.deployment.platform.contentBaseUrl}/contents`;
const python = (...more: string[]) =>
  run('python3', [join(RECIPES, 'read_token.py'), tokenArn(place, 'api/read'), ...more]);
const shell = (url: string, environment: object = {}) =>
  run(join(RECIPES, 'read-token.sh'), [tokenArn(place, 'api/read'), url], environment);

describe('the Python recipe', () => {
  withPython('calls the platform with the stored token', () => {
    expect(python(contentsUrl())).toEqual({ status: 0, stdout: '200\n', stderr: '' });
  });

  withPython('gets another token if the platform refuses the stored one, and repeats the call', async () => {
    await replaceCredential(place);

    expect(python(contentsUrl())).toMatchObject({ status: 1, stdout: '401\n' });
    expect(python(contentsUrl(), place.deployment.functions.tokenRefresh!)).toEqual({
      status: 0,
      stdout: '200\n',
      stderr: '',
    });
  });

  withPython('never sends the token to a redirect target', async () => {
    const before = await requestsTo('/elsewhere');
    await system.control('POST', '/faults', {
      target: 'content',
      status: 302,
      headers: { location: `${place.deployment.platform.contentBaseUrl}/elsewhere` },
      times: 1,
    });

    expect(python(contentsUrl())).toMatchObject({ status: 1, stdout: '302\n' });
    expect(await requestsTo('/elsewhere')).toBe(before);
  });
});

describe('the block for reading a token on the laptop', () => {
  withShell('calls the platform', async () => {
    await sweep(place);
    const page = readFileSync(join(PROJECT_ROOT, 'docs/read-tokens.md'), 'utf8');
    const section = page.slice(0, page.indexOf('## Grant the right'));

    const { status, stdout, stderr } = runInShell(scriptOf('read-tokens.md', section));

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toBeInstanceOf(Object);
  });
});

describe('the block for a token that an API answers with 401', () => {
  withShell('has token-refresh replace the token of that SHA-256', async () => {
    await sweep(place);
    const before = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
    const page = readFileSync(join(PROJECT_ROOT, 'docs/read-tokens.md'), 'utf8');
    const [block = ''] = blocksOf(
      { file: '', text: page.slice(page.indexOf('## When an API answers 401')) },
      'sh',
    );
    const ofThisTenant = block
      // Version 1 of the AWS CLI has no other format.
      .replace(isAwsCli2 ? '' : '--cli-binary-format raw-in-base64-out', '')
      .replace('/staging/global/', '/staging/mea/')
      .replace('eu-west-2_AbcdEfghI', place.tenant.tenantId)
      .replace('…', createHash('sha256').update(before.accessToken).digest('hex'));

    // A program cannot open /dev/stdout if that is a socket, as it is for a child of Node.
    const { status, stdout, stderr } = runInShell(
      `eval "$(node bin/latchkey.cjs local env)"; ${ofThisTenant} | cat`,
    );

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('"refreshed":true');
    const after = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(stdout).not.toContain(after.accessToken);
  });
});

describe('the shell recipe', () => {
  withShell('calls the platform with the stored token', async () => {
    await sweep(place);

    const { status, stdout, stderr } = shell(contentsUrl());

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toBeInstanceOf(Object);
  });

  withShell('passes the token to curl through a pipe, not as an argument', async () => {
    const { accessToken } = await system.secret<TokenValue>(tokenArn(place, 'api/read'));
    // Shadows the real curl, and prints its arguments and input.
    writeFileSync(join(folder, 'curl'), '#!/bin/sh\necho "arguments: $*"\necho "input: $(cat)"\n', {
      mode: 0o755,
    });

    const { stdout } = shell(contentsUrl(), { PATH: `${folder}:${process.env.PATH}` });

    const [argumentsLine, inputLine] = stdout.split('\n');
    expect(argumentsLine).not.toContain(accessToken);
    expect(inputLine).toBe(`input: Authorization: Bearer ${accessToken}`);
  });

  withShell('reports an expired token, and sends nothing', async () => {
    const before = await requestsTo('/contents');
    await system.putSecret(system.administrator, tokenArn(place, 'api/read'), {
      ...(await system.secret<object>(tokenArn(place, 'api/read'))),
      expiresAt: '2020-01-01T00:00:00.000Z',
    });

    const { status, stderr } = shell(contentsUrl());

    expect(status).not.toBe(0);
    expect(stderr).toContain('the token has run out');
    expect(await requestsTo('/contents')).toBe(before);
  });
});

describe('the blocks for the restore API on the laptop', () => {
  withShell('restore with Basic and with Bearer, and list contents', async () => {
    const global = placeOf(system, 'staging', 'global');
    await load(global);
    await sweep(global);
    const page = readFileSync(join(PROJECT_ROOT, 'docs/restore-api.md'), 'utf8');
    const section = page.slice(page.indexOf('### On the laptop'), page.indexOf('### From a service on Node'));
    const script = scriptOf('restore-api.md', section);

    const { status, stdout, stderr } = runInShell(`cd "${folder}"; ${script}`);

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const restored = stdout.trim().split('\n');
    expect(restored.map((line) => JSON.parse(line) as object)).toEqual(
      global.tenant.archivedContentIds.slice(0, 2).map((id) => ({
        id,
        status: 'published',
        items: expect.any(Array) as unknown,
      })),
    );
    expect(readFileSync(join(folder, 'ids.txt'), 'utf8')).toMatch(/^([0-9a-f]{24}\n){200}$/);
  });
});

describe('the block for credentials that are elsewhere now', () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/deploy.md'), 'utf8');
  const section = page.slice(page.indexOf('## Credentials that are elsewhere now'));
  const [loop = ''] = blocksOf({ file: 'deploy.md', text: section }, 'sh');

  /** Runs a block with a `latchkey` that addresses this system. */
  const runBlock = (block: string) =>
    run('bash', ['--norc', '-euo', 'pipefail', '-c', block.replaceAll('npx latchkey', 'latchkey')], {
      PATH: `${folder}:${process.env.PATH}`,
    });

  withShell('loads those of each tenant, and again without harm', async () => {
    const tenants = [0, 1].map((index) => new OperatedTenant(system, 'staging', 'global', index));
    const pairs = await Promise.all(tenants.map((tenant) => tenant.newPair()));
    const { endpoint, region } = system.run.aws;
    const ssm = new SSMClient({ endpoint, region, credentials: system.run.aws });
    for (const [index, { clientId, clientSecret }] of pairs.entries()) {
      const Value = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
      await ssm.send(
        new PutParameterCommand({
          Name: ['/platform/one', '/platform/two'][index]!,
          Value,
          Type: 'SecureString',
        }),
      );
    }
    installCommand(folder, system);
    const stored = () =>
      Promise.all(tenants.map(({ place: { tenant } }) => system.secret(tenant.clientCredentialsArn)));

    const first = runBlock(loop);
    const loaded = await stored();
    const again = runBlock(loop);
    ssm.destroy();
    expect([first, again]).toMatchObject([{ status: 0 }, { status: 0 }]);
    expect(loaded).toEqual(pairs);
    expect(await stored()).toEqual(pairs);
    const shown = JSON.stringify([first, again]);
    for (const { clientSecret } of pairs) expect(shown).not.toContain(clientSecret);
  });
});

describe('with invalid input', () => {
  const CANARY = 'canary-7f3a';

  withPython.each<[string, unknown]>([
    ['no JSON', CANARY],
    ['no token', { clientSecret: CANARY }],
    ['a token of two lines', { accessToken: `${CANARY}\nx: y`, expiresAt: '2099-01-01T00:00:00Z' }],
  ])(
    'the Python recipe reports in one line that the secret holds %s, without showing its value',
    async (_, value) => {
      await system.putSecret(system.administrator, tokenArn(place, 'api/write'), value);

      const { status, stdout, stderr } = run('python3', [
        join(RECIPES, 'read_token.py'),
        tokenArn(place, 'api/write'),
        contentsUrl(),
      ]);

      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^read_token: .*\n$/);
      expect(stderr).not.toContain(CANARY);
    },
  );

  withPython('the Python recipe reports a missing secret in one line', () => {
    const { status, stderr } = run('python3', [
      join(RECIPES, 'read_token.py'),
      'latchkey/none',
      contentsUrl(),
    ]);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^read_token: .*ResourceNotFoundException.*\n$/);
  });

  withShell.each<[string, unknown]>([
    ['no token', { clientSecret: CANARY }],
    ['a token of two lines', { accessToken: `${CANARY}\nx: y`, expiresAt: '2099-01-01T00:00:00Z' }],
  ])(
    'the shell recipe sends nothing if the secret holds %s, and does not show its value',
    async (_, value) => {
      const before = await requestsTo('/contents');
      await system.putSecret(system.administrator, tokenArn(place, 'api/write'), value);

      const { status, stdout, stderr } = run(join(RECIPES, 'read-token.sh'), [
        tokenArn(place, 'api/write'),
        contentsUrl(),
      ]);

      expect(status).not.toBe(0);
      expect(stderr).toContain('the secret holds no token');
      expect(stdout + stderr).not.toContain(CANARY);
      expect(await requestsTo('/contents')).toBe(before);
    },
  );

  it.each([[[]], [['secret', 'http://platform.example/']], [['secret', '-K/etc/passwd']]])(
    'the shell recipe prints its usage: %j',
    (args) => {
      expect(run(join(RECIPES, 'read-token.sh'), args)).toEqual({
        status: 2,
        stdout: '',
        stderr: 'usage: read-token.sh SECRET_ID https://…\n',
      });
    },
  );
});

/** Requests counted by the platform for a path of the content interface. */
async function requestsTo(end: string): Promise<number> {
  return totalOf(
    await platformRequests(system, ({ target, path }) => target === 'content' && path.endsWith(end)),
  );
}
