import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { type CredentialKind } from '../../core/secrets/secret-names';
import { type CommandOptions, type CommandResult, documentOf, runLatchkey } from './support/command';
import { PROJECT_ROOT } from './support/local-process';
import { OperatedTenant } from './support/operated-tenant';
import { descendants, startedWith } from './support/processes';
import { RunningSystem } from './support/running-system';

/**
 * Credentials are loaded, rotated, interrupted and repaired. Each test leaves valid credentials behind.
 * test/cli covers the command's answer to each input and failure, with doubles.
 */
let system: RunningSystem;
let tenant: OperatedTenant;
/** Without credentials. */
let newTenant: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.startPart(['latchkey-staging-global'], ['--no-job']);
  tenant = await OperatedTenant.loaded(system, 'staging', 'global');
  newTenant = new OperatedTenant(system, 'staging', 'global', 1);
});

afterAll(() => system.stop());

beforeEach(() => system.control('DELETE', '/faults'));

const everything = ({ stdout, stderr, visible }: CommandResult) => [stdout, stderr, ...visible].join('\n');

/** Stages a value without the proof that the command requires. */
async function stage(kind: CredentialKind, value: object): Promise<void> {
  await system.operator.secrets.send(
    new PutSecretValueCommand({
      SecretId: tenant.arn(kind),
      SecretString: JSON.stringify(value),
      VersionStages: [CANDIDATE_LABEL],
    }),
  );
}

it('proves the client credentials that a person enters, makes them current and gets a token of each scope', async () => {
  const { clientId, clientSecret } = await newTenant.newPair();

  const result = await newTenant.run('credentials put', {
    answers: [
      { after: /Client id/, type: `${clientId}\r` },
      { after: /Client secret/, type: `${clientSecret}\r` },
    ],
    watchProcesses: true,
  });

  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain('2 of 2 tokens stored');
  expect(everything(result)).not.toContain(clientSecret);
  expect(await newTenant.currentClientId()).toBe(clientId);
  expect(Object.keys(await newTenant.labels('client-credentials'))).toEqual(['AWSCURRENT']);
});

// runbook.test.ts has rotations that end, and test/cli the answer to each input.
it.each(['SIGINT', 'SIGTERM'] as const)(
  'says on %s that a rotation goes on, which one more command finishes',
  async (name) => {
    const pair = await tenant.newPair();
    await tenant.fail('token', { delayMs: 1_000, times: 1 });

    const interrupted = await tenant.give('credentials put', pair, {
      signal: { after: /Rotating: rotate-credentials/, name },
    });

    expect(interrupted).toMatchObject({ exitCode: 75 });
    expect(everything(interrupted)).not.toContain(pair.clientSecret);
    expect([0, 1]).toContain((await tenant.run('credentials rotate')).exitCode);
    expect(await tenant.currentClientId()).toBe(pair.clientId);
    expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
  },
);

it('finishes with one more command after rotate-credentials was killed midway', async () => {
  const pair = await tenant.newPair();
  await stage('client-credentials', pair);
  await tenant.fail('token', { delayMs: 1_000, times: 1 });

  const rotating = tenant.run('credentials rotate', {
    meanwhile: { after: /Rotating: rotate-credentials/, act: killRotateCredentials },
  });

  expect([0, 69, 75]).toContain((await rotating).exitCode);
  // Secrets Manager may have completed the rotation by now, which leaves nothing to promote.
  expect([0, 1]).toContain((await tenant.run('credentials rotate')).exitCode);
  expect(await tenant.currentClientId()).toBe(pair.clientId);
  const labels = await tenant.labels('client-credentials');
  expect(labels).not.toHaveProperty(CANDIDATE_LABEL);
});

/** As against an AWS account: with a configuration, and credentials from the environment. */
describe('with a configuration whose platform is unreachable, so that no credential can be proven here', () => {
  let folder: string;
  let environment: Record<string, string | undefined>;

  beforeAll(() => {
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
  afterAll(() => rmSync(folder, { recursive: true }));

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

    expect([codeOf(here), pair.exitCode, first.exitCode, second.exitCode]).toEqual([
      'could_not_test',
      0,
      0,
      0,
    ]);
    for (const kind of ['client-credentials', 'api-key'] as const) {
      const { AWSCURRENT, AWSPREVIOUS } = await tenant.labels(kind);
      expect(AWSCURRENT).not.toBe(before[kind]);
      expect(AWSPREVIOUS).toBeDefined();
    }
  });
});

/** Kills the busy process of rotate-credentials, as a failing Lambda host would. */
async function killRotateCredentials(): Promise<void> {
  for (let look = 0; look < 500; look += 1) {
    const ids = descendants(system.process.pid).filter((pid) =>
      startedWith(pid).environment.AWS_LAMBDA_FUNCTION_NAME?.includes('RotateCredential'),
    );
    for (const pid of ids) process.kill(pid, 'SIGKILL');
    if (ids.length > 0) return;
    await setTimeout(20);
  }
  throw new Error('rotate-credentials did not run');
}
