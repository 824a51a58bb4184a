import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CANDIDATE_LABEL } from '../../../contract/credential-labels';
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
  system = await RunningSystem.start(['--no-job']);
  tenant = new OperatedTenant(system, 'staging', 'global');
  await tenant.give('credentials put', await tenant.newPair());
  await tenant.give('credentials put', await tenant.newPair());
  folder = mkdtempSync(join(tmpdir(), 'latchkey-configured-'));
  writeFileSync(join(folder, 'latchkey.json'), configuration());
  const { endpoint, region } = system.run.aws;
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

/** The laptop system's configuration with addresses that are valid for a real account. */
function configuration(): string {
  const text = readFileSync(join(PROJECT_ROOT, 'config/local.json'), 'utf8');
  const { local, ...rest } = JSON.parse(
    text.replaceAll('https://127.0.0.1:8443', 'https://platform.invalid'),
  ) as { local: boolean };
  expect(local).toBe(true);
  return JSON.stringify(rest);
}

function run(words: string, options: CommandOptions = {}) {
  return runLatchkey([...words.split(' '), ...tenant.flags], {
    ...options,
    env: { ...environment, ...options.env },
  });
}

const codeOf = (result: Parameters<typeof documentOf>[0]) =>
  documentOf<{ error: { code: string } }>(result).error.code;

it('finds the functions by their parameters, and reports where the deployment differs from the configuration', async () => {
  const status = await run('status --json');
  const { findings } = documentOf<{ findings: { kind: string; repair: { command: string } }[] }>(status);

  expect(status).toMatchObject({ exitCode: 1, stderr: '' });
  expect(new Set(findings.map(({ kind }) => kind))).toEqual(
    new Set(['configuration_differs', 'never_loaded']),
  );
  for (const { repair } of findings) expect(repair.command).not.toContain('--local');
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

it.each(['credentials put', 'api-key put'])(
  '%s writes nothing if the platform is unreachable',
  async (words) => {
    const kind = words === 'api-key put' ? 'api-key' : 'client-credentials';
    const before = await tenant.labels(kind);
    const value = kind === 'api-key' ? await tenant.newKey() : await tenant.newPair();

    const result = await run(`${words} --json`, { input: JSON.stringify(value) });

    expect(result).toMatchObject({ exitCode: 69 });
    expect(codeOf(result)).toBe('could_not_test');
    expect(await tenant.labels(kind)).toEqual(before);
  },
);

it('reports that AWS cannot be reached', async () => {
  const result = await run('status --json', { env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' } });

  expect(result).toMatchObject({ exitCode: 69 });
  expect(result.stdout).toMatch(/no connection \(ECONNREFUSED\)/);
});

it('reports a wrong secret access key', async () => {
  const result = await run('credentials rotate --json', { env: { AWS_SECRET_ACCESS_KEY: 'wrong' } });

  expect(result).toMatchObject({ exitCode: 77 });
  expect(codeOf(result)).toBe('not_signed_in');
});
