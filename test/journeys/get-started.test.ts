import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type ApiKeyValue, type ClientCredentialsValue } from '../../core/secrets/secret-values';
import { loadConfiguration } from '../../lib/options/load';
import { type Answer, COMMAND, documentOf, runLatchkey } from './support/command';
import { PROJECT_ROOT } from './support/local-process';
import { OperatedTenant } from './support/operated-tenant';
import { requestsTo, totalOf } from './support/restore-calls';
import { blocksOf } from './support/runbook';
import { RunningSystem } from './support/running-system';

/** What a person answers `latchkey init`. */
const ENTER = '\r';
const ANSWERS: Answer[] = [
  { after: /Platform environment/, type: ENTER },
  { after: /Platform region/, type: ENTER },
  { after: /Tenant identifier/, type: `eu-west-2_AbcdEfghI${ENTER}` },
  { after: /Another tenant identifier/, type: ENTER },
  { after: /Base URL of the content interface/, type: `https://api.platform.example/rest/v1${ENTER}` },
  { after: /Base URL for its tokens/, type: `https://auth.platform.example${ENTER}` },
  { after: /offer restore/, type: 'n' },
  { after: /Scope of the content token/, type: ENTER },
  { after: /Also keep a content token with scope api\/write/, type: 'n' },
  { after: /Also keep a content token with scope api\/all/, type: 'n' },
  { after: /Do you use the webhooks interface/, type: 'n' },
  { after: /generate API keys/, type: 'n' },
  { after: /AWS account id/, type: ENTER },
  { after: /AWS region/, type: ENTER },
  { after: /E-mail addresses/, type: ENTER },
  { after: /Add another environment or region/, type: 'n' },
];

/** The laptop system, used by installed commands and by other programs, as the pages say. */
let system: RunningSystem;
let tenant: OperatedTenant;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-laptop-'));
  system = await RunningSystem.startPart(['latchkey-staging-global', 'latchkey-staging-mea'], ['--no-job']);
  tenant = await OperatedTenant.loaded(system, 'staging', 'mea');
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

/** The blocks of one section of a page, in order. */
function blocks(page: string, heading: string): string[] {
  const text = readFileSync(join(PROJECT_ROOT, 'docs', page), 'utf8');
  const section = text.slice(text.indexOf(`## ${heading}`)).slice(1);
  return blocksOf({ file: page, text: section.slice(0, section.search(/^## /m)) }, 'sh');
}

/** Runs a block as printed, in the checkout. */
function runAsPrinted(block: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', block], {
    ...{ encoding: 'utf8', cwd: PROJECT_ROOT },
    env: { ...process.env, LATCHKEY_STATE_DIR: system.process.stateDir },
  });
  return { status, stdout, stderr };
}

describe('the page “Get started”', () => {
  it('rotates client credentials and an API key that the sandbox issues', async () => {
    const before = [
      await tenant.current<ClientCredentialsValue>('client-credentials'),
      await tenant.current<ApiKeyValue>('api-key'),
    ];

    for (const block of blocks('get-started.md', 'Rotate a credential')) {
      expect(runAsPrinted(block)).toMatchObject({ status: 0 });
    }

    const [pair, key] = before as [ClientCredentialsValue, ApiKeyValue];
    expect((await tenant.current<ClientCredentialsValue>('client-credentials')).clientId).not.toBe(
      pair.clientId,
    );
    expect((await tenant.current<ApiKeyValue>('api-key')).apiKey).not.toBe(key.apiKey);
  });
});

const withAws = spawnSync('aws', ['--version']).status === 0 ? it : it.skip;

describe('what the pages print for other programs', () => {
  withAws(
    '“Get started” shows the versions of a credential with the AWS CLI, and which calls are denied',
    async () => {
      await OperatedTenant.loaded(system, 'staging', 'global');
      const [block = '', ...others] = blocks('get-started.md', 'Use it from other programs');

      const { status, stdout, stderr } = runAsPrinted(block);
      const listed = runAsPrinted(
        'eval "$(npx latchkey local env --administrator)"; aws secretsmanager list-secrets --query "length(SecretList)"',
      );
      const denied = runAsPrinted('eval "$(npx latchkey local env)"; aws secretsmanager list-secrets');

      expect(others).toEqual([]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(Object.values(JSON.parse(stdout) as object)).toContainEqual(['AWSCURRENT']);
      expect({ ...listed, stdout: Number(listed.stdout) > 5 }).toEqual({
        status: 0,
        stdout: true,
        stderr: '',
      });
      expect(denied.stderr).toContain('AccessDenied');
    },
  );

  it('“Local AWS” prints the same variables in each form', () => {
    const [block = ''] = blocks('local-aws.md', 'From a shell');
    const [forBash = '', forFish = '', asJson = ''] = block
      .split('\n')
      .map((line) => line.replace(/ +#.*$/, ''));

    const bash = runAsPrinted(`${forBash}; printf '%s' "$AWS_ENDPOINT_URL"`);
    const fish = runAsPrinted(forFish.replace('| source', ''));
    const { AWS_ENDPOINT_URL: endpoint } = JSON.parse(runAsPrinted(asJson).stdout) as Record<string, string>;

    expect(bash).toEqual({ status: 0, stdout: endpoint, stderr: '' });
    expect(fish.stdout).toContain(`set --global --export AWS_ENDPOINT_URL '${endpoint}'`);
  });
});

describe('a command that is printed', () => {
  /** Runs the command of the one indented line, as printed. */
  const follow = (printed: string) => {
    const [, command] = /^ {2}(latchkey .*)$/m.exec(printed)!;
    return runAsPrinted(`latchkey() { '${process.execPath}' '${COMMAND}' "$@"; }\n${command}`);
  };

  it('loads the credentials that are not shown at a terminal', async () => {
    const before = await tenant.currentClientId();

    const told = await runLatchkey(
      ['local', 'new-credentials', ...tenant.flags, '--state-dir', system.process.stateDir],
      { answers: [] },
    );

    expect(told).toMatchObject({ exitCode: 2 });
    expect(follow(told.stdout)).toMatchObject({ status: 0 });
    expect(await tenant.currentClientId()).not.toBe(before);
  });

  it('restores what a dry run has shown', async () => {
    const list = join(folder, 'ids.txt');
    const contentIds = tenant.place.tenant.archivedContentIds.slice(1, 3);
    const restores = async () =>
      totalOf(await requestsTo(system, ({ path }) => contentIds.some((id) => path.includes(id))));
    writeFileSync(list, contentIds.join('\n'));
    const words = `restore --from ${list} --author-ref ${tenant.place.tenant.authorRefs[0]!}`;

    const shown = await tenant.run(`${words} --dry-run`);
    const contentBefore = await restores();
    const done = follow(shown.stdout);

    expect(shown.stdout).toContain('Would send 2 of 2 contents');
    expect(contentBefore).toBe(0);
    expect(done.stdout).toContain('2 of 2 restored');
    expect(await restores()).toBe(2);
  });
});

it('is reached by other programs with the printed environment', async () => {
  const variables = documentOf<Record<string, string>>(
    await runLatchkey(['local', 'env', '--json', '--state-dir', system.process.stateDir]),
  );
  const script = `
    const { SecretsManagerClient, GetSecretValueCommand } = require('@aws-sdk/client-secrets-manager');
    const read = (SecretId) => new SecretsManagerClient().send(new GetSecretValueCommand({ SecretId }));
    Promise.all(${JSON.stringify([
      tenant.place.tenant.tokens[0]!.arn,
      tenant.place.tenant.clientCredentialsArn,
    ])}.map((arn) => read(arn).then(() => 'read', (error) => error.name))).then((ends) => console.log(ends.join(' ')));
    fetch(process.argv[1]).then(({ status }) => console.log(status));`;

  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['-e', script, tenant.place.deployment.platform.contentBaseUrl!],
    {
      encoding: 'utf8',
      cwd: PROJECT_ROOT,
      env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...variables },
    },
  );

  expect({ lines: stdout.trim().split('\n').sort(), stderr }).toEqual({
    lines: ['404', 'read AccessDeniedException'],
    stderr: '',
  });
});

it('is used by an installed command elsewhere, by its state directory', async () => {
  const installed = join(folder, 'node_modules/latchkey');
  for (const file of ['bin/latchkey.cjs', 'dist/latchkey.js', 'package.json']) {
    cpSync(join(PROJECT_ROOT, file), join(installed, file));
  }
  const options = { program: join(installed, 'bin/latchkey.cjs'), workingDir: folder };
  const { stateDir } = system.process;
  const { archivedContentIds, authorRefs } = tenant.place.tenant;

  const put = await runLatchkey(['credentials', 'put', ...tenant.flags, '--local'], {
    ...options,
    env: { LATCHKEY_STATE_DIR: stateDir },
    input: JSON.stringify(await tenant.newPair()),
  });
  const restored = await runLatchkey(
    [
      ...['restore', archivedContentIds[0]!, '--author-ref', authorRefs[0]!],
      ...[...tenant.flags, '--local', '--state-dir', stateDir],
    ],
    options,
  );

  expect(put).toMatchObject({ exitCode: 0 });
  expect(restored).toMatchObject({ exitCode: 0 });
});

it('writes a configuration for an account from what a person answers at a terminal', async () => {
  const file = join(folder, 'latchkey.json');

  const result = await runLatchkey(['init', '--config', file], { answers: ANSWERS });

  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain('npx cdk deploy --all');
  expect(loadConfiguration(file).deployments).toMatchObject([
    { environment: 'staging', platformRegion: 'global', tenants: [{ tenantId: 'eu-west-2_AbcdEfghI' }] },
  ]);
  expect(existsSync(join(folder, 'latchkey.schema.json'))).toBe(true);
});
