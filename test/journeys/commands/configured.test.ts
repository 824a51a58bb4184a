import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { type CommandOptions, documentOf, runLatchkey } from '../support/command';
import { PROJECT_ROOT } from '../support/local-process';
import { OperatedTenant } from '../support/operated-tenant';
import { RunningSystem } from '../support/running-system';

/**
 * Runs the command as against an AWS account: with a configuration, and credentials from the environment.
 * The configured platform is unreachable, so no credential can be proven here.
 */
let system: RunningSystem;
let tenant: OperatedTenant;
let folder: string;
let environment: Record<string, string | undefined>;

beforeAll(async () => {
  system = await RunningSystem.startPart(['latchkey-staging-global'], ['--no-job']);
  tenant = new OperatedTenant(system, 'staging', 'global');
  await tenant.give('credentials put', await tenant.newPair());
  await tenant.give('credentials put', await tenant.newPair());
  folder = mkdtempSync(join(tmpdir(), 'latchkey-configured-'));
  const { endpoint, region, accountId: account } = system.run.aws;
  writeFileSync(join(folder, 'latchkey.json'), configuration({ account, region }));
  environment = {
    LATCHKEY_CONFIG: join(folder, 'latchkey.json'),
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: system.run.operator.accessKeyId,
    AWS_SECRET_ACCESS_KEY: system.run.operator.secretAccessKey,
    AWS_CONFIG_FILE: join(folder, 'none'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
    AWS_EC2_METADATA_DISABLED: 'true',
    NODE_EXTRA_CA_CERTS: join(PROJECT_ROOT, system.run.caFile),
  };
});

afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

/** The laptop system's configuration at this place, with addresses that are valid for a real account. */
function configuration(location: { account?: string; region: string }): string {
  const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
  const { local, deployments, ...rest } = JSON.parse(
    text.replaceAll('https://127.0.0.1:8443', 'https://platform.invalid'),
  ) as { local: boolean; deployments: object[] };
  expect(local).toBe(true);
  return JSON.stringify({ ...rest, deployments: deployments.map((each) => ({ ...each, ...location })) });
}

function run(words: string, options: CommandOptions = {}, { flags } = tenant) {
  return runLatchkey([...words.split(' '), ...flags], {
    ...options,
    env: { ...environment, ...options.env },
  });
}

const codeOf = (result: Parameters<typeof documentOf>[0]) =>
  documentOf<{ error: { code: string } }>(result).error.code;

it('finds the functions by their parameters, and reports where the deployment differs from the configuration', async () => {
  const newTenant = new OperatedTenant(system, 'staging', 'global', 1);
  const status = await run('status --json', {}, newTenant);
  const { findings } = documentOf<{ findings: { kind: string; repair: { command: string } }[] }>(status);

  expect(status).toMatchObject({ exitCode: 1, stderr: '' });
  expect(new Set(findings.map(({ kind }) => kind))).toEqual(
    new Set(['configuration_differs', 'never_loaded']),
  );
  for (const { repair } of findings) expect(repair.command).not.toContain('--local');
});

it('loads and rotates both credentials without a way from here to the platform, proven by the functions', async () => {
  const before = {
    'client-credentials': (await tenant.labels('client-credentials')).AWSCURRENT,
    'api-key': (await tenant.labels('api-key')).AWSCURRENT,
  };

  const here = await run('credentials put --json', { input: JSON.stringify(await tenant.newPair()) });
  const pair = await run('credentials put --prove-by function --json', {
    input: JSON.stringify(await tenant.newPair()),
  });
  const first = await run('api-key put --prove-by function --json', {
    input: JSON.stringify(await tenant.newKey()),
  });
  const second = await run('api-key put --prove-by function --json', {
    input: JSON.stringify(await tenant.newKey()),
  });

  expect([codeOf(here), pair.exitCode, first.exitCode, second.exitCode]).toEqual(['could_not_test', 0, 0, 0]);
  for (const kind of ['client-credentials', 'api-key'] as const) {
    const { AWSCURRENT, AWSPREVIOUS } = await tenant.labels(kind);
    expect(AWSCURRENT).not.toBe(before[kind]);
    expect(AWSPREVIOUS).toBeDefined();
  }
});

it('shows and refreshes tokens, rolls back and revokes', async () => {
  const token = '--interface content --scope api/read';
  const { AWSPREVIOUS: previous } = await tenant.labels('client-credentials');

  const refreshed = await run(`token refresh ${token} --json`);
  const revealed = await run(`token show ${token} --reveal`, { answers: [] });
  const back = await run('rollback --kind client-credentials --json');
  const revoked = await run('credentials revoke-previous --kind client-credentials --json');

  expect(refreshed).toMatchObject({ exitCode: 0 });
  expect(revealed).toMatchObject({ exitCode: 0 });
  expect(revealed.stdout.trim()).toMatch(/^[\w-]{40,}$/);
  expect(back).toMatchObject({ exitCode: 0 });
  expect(documentOf(back)).toMatchObject({ outcome: 'promoted' });
  expect(revoked).toMatchObject({ exitCode: 0 });
  const labels = await tenant.labels('client-credentials');
  expect(labels).not.toHaveProperty('AWSPREVIOUS');
  expect(labels).not.toHaveProperty(CANDIDATE_LABEL);
  expect(labels.AWSCURRENT).not.toBe(previous);
});

it('loads client credentials by the printed command, which has rotate-credentials ask the platform', async () => {
  const before = await tenant.labels('client-credentials');
  const input = JSON.stringify(await tenant.newPair());
  const failed = await run('credentials put', { input });
  const [, command] = /cannot reach the platform: latchkey (.*)/.exec(failed.stderr)!;

  const result = await runLatchkey(command!.split(' '), { input, env: environment });

  expect(result).toMatchObject({ exitCode: 0 });
  const { AWSCURRENT: current, AWSPREVIOUS: previous } = await tenant.labels('client-credentials');
  expect(current).not.toBe(before.AWSCURRENT);
  expect(previous).toBe(before.AWSCURRENT);
});
