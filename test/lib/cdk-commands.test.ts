import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { MIN_BOOTSTRAP_VERSION } from '../../cli/bootstrap-check';
import { init } from '../../cli/init-command';
import { fixCommands } from '../../core/commands/fix-commands';
import { FakeTerminal } from '../cli/support/fake-terminal';
import { OperatedSystem } from '../cli/support/operated-system';
import { bundlingOncePerRun } from '../support/bundling-once-per-run';
import { runApp } from '../support/lib/app-process';
import { addressesOf, tenant, written } from '../support/lib/configuration';
import { synthesisWith, temporaryFolder } from '../support/lib/synthesis';
import { TEST_RUN_VARIABLE, testRunFolder } from '../support/test-run';

jest.setTimeout(60_000);

const ROOT = join(__dirname, '../..');
const CALLER = '222233334444';
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'x' };

/** Answers like STS for credentials of {@link CALLER}, which cannot assume a role elsewhere. */
const sts = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const parameters = new URLSearchParams(body);
    actions.push(parameters.get('Action') ?? request.url!);
    roles.push(...parameters.getAll('RoleArn'));
    response.setHeader('content-type', 'text/xml');
    if (actions.at(-1) === 'GetCallerIdentity') {
      response.end(
        `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::${CALLER}:user/operator</Arn><Account>${CALLER}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
      );
      return;
    }
    response.statusCode = 403;
    response.end('<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>');
  });
});
const actions: string[] = [];
const roles: string[] = [];

beforeAll(() => new Promise<void>((resolve) => sts.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => sts.close(resolve)));

/** Runs a command of the CDK CLI, without a configuration unless the environment names one, with AWS on loopback. */
function runCdk(
  args: string[],
  environment: Record<string, string>,
  folder = ROOT,
): Promise<{ status: number | null; output: string }> {
  const isOwn = args.includes('--output') || args.includes('--app');
  const output = isOwn ? [] : ['--output', temporaryFolder()];
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/aws-cdk/bin/cdk'), ...args, '--no-notices', ...output],
    {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        CDK_HOME: temporaryFolder(),
        CI: 'true',
        CDK_VALIDATION: 'false',
        AWS_ENDPOINT_URL: `http://127.0.0.1:${(sts.address() as AddressInfo).port}`,
        AWS_REGION: 'eu-west-1',
        // Nothing is sent there, because cdk.json turns telemetry off.
        AWS_EC2_METADATA_DISABLED: 'true',
        TELEMETRY_ENDPOINT: 'https://127.0.0.1:9/',
        [TEST_RUN_VARIABLE]: testRunFolder(),
        ...bundlingOncePerRun(),
        ...environment,
      },
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  }
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output: text })));
}

it('`cdk deploy` without a configuration is refused before anything is changed', async () => {
  actions.length = 0;

  const { status, output } = await runCdk(['deploy', '--all', '--require-approval', 'never'], CREDENTIALS);

  expect(status).toBe(1);
  expect(output).toContain('npx latchkey init ');
  expect(output).toContain(`current credentials (which are for account ${CALLER}`);
  expect([...new Set(actions)]).toEqual(['GetCallerIdentity', 'AssumeRole']);
});

it.each([
  ['the project', ROOT],
  ['the pipeline', join(ROOT, 'examples/pipeline')],
])('`cdk` in the folder of %s sends no telemetry', async (_, folder) => {
  const { output } = await runCdk(['cli-telemetry', '--status'], {}, folder);

  expect(output).toContain('CLI Telemetry is disabled');
});

it('`cdk ls` prints no prices and quotas', async () => {
  const { status, output } = await runCdk(['ls'], {});

  expect(status).toBe(0);
  expect(output).toContain('latchkey-staging-global\n');
  expect(output).toContain('! No configuration');
  expect(output).not.toMatch(/USD|Quotas/);
});

it('`cdk bootstrap`, as doctor prints it, looks for the bootstrap stack of that account', async () => {
  actions.length = 0;

  await runCdk(['bootstrap', `aws://${CALLER}/eu-west-1`], CREDENTIALS);

  expect([...new Set(actions)].slice(0, 2)).toEqual(['GetCallerIdentity', 'DescribeStacks']);
});

it('`cdk deploy`, as init prints it, uses the configuration that it wrote', async () => {
  const config = join(temporaryFolder(), 'own.json');
  const terminal = new FakeTerminal();
  const addresses = addressesOf('staging-global');
  await init(new OperatedSystem().context(terminal), {
    config,
    environment: 'staging',
    tenants: ['tenant-a'],
    contentScopes: ['api/read'],
    contentBaseUrl: addresses.contentBaseUrl,
    contentTokenBaseUrl: addresses.contentTokenBaseUrl,
  });
  const { next } = terminal.results[0]!.document as { next: string[] };
  const [npx, cdk, ...args] = next[1]!.split(' ');

  const { output } = await runCdk(args, {});

  expect([npx, cdk]).toEqual(['npx', 'cdk']);
  expect(output).toContain('staging global: 1 tenant, 1 token');
  expect(output).not.toContain('No configuration');
  // There are no credentials.
  expect(output).toContain('Unable to resolve AWS account to use');
});

it('the bootstrap stack that doctor asks for is the oldest that the stacks allow', () => {
  const { stacks } = synthesisWith().assembly;

  for (const stack of stacks) expect(stack.requiresBootstrapStackVersion).toBe(MIN_BOOTSTRAP_VERSION);
});

describe('a pipeline with two accounts and another qualifier', () => {
  const PRODUCTION = '555566667777';
  const qualifier = 'acme';
  const folder = temporaryFolder();
  const assembly = join(folder, 'assembly');
  const LATCHKEY_CONFIG = join(folder, 'configuration.json');
  let synthesized: { status: number | null; output: string };

  beforeAll(async () => {
    const { deployments, ...rest } = written();
    const production = { ...deployments[0]!, environment: 'production', account: PRODUCTION };
    const both = [deployments[0]!, { ...production, tenants: [tenant('tenant-live')] }];
    writeFileSync(LATCHKEY_CONFIG, JSON.stringify({ ...rest, deployments: both }));
    const context = `@aws-cdk/core:bootstrapQualifier=${qualifier}`;
    synthesized = await runCdk(['synth', '--quiet', '--output', assembly, '-c', context], {
      LATCHKEY_CONFIG,
    });
  });

  it.each(['revertTenant', 'revertDeployment', 'deploy'] as const)(
    'deploys the stack that doctor names: %s',
    async (fix) => {
      const place = { environment: 'staging', platformRegion: 'global', tenantId: 'tenant-a' } as const;
      const platform = addressesOf('staging-global');
      const printed = fixCommands({ prefix: 'latchkey', platform }, place, '')[fix]();
      const [npx, cdk, ...args] = printed.replaceAll("'", '').split(' ');

      const { output } = await runCdk([...args, '--app', assembly], CREDENTIALS);

      expect([npx, cdk]).toEqual(['npx', 'cdk']);
      expect(output).toContain(`deploy-role-${CALLER}`);
    },
  );

  // The CDK ignores an option that it does not know.
  it('deploys with the option to revert drift that doctor prints', async () => {
    expect((await runCdk(['deploy', '--help'], {})).output).toContain('--revert-drift');
  });

  it('synthesizes without AWS credentials', () => {
    expect(synthesized).toMatchObject({ status: 0 });
    expect(synthesized.output).toContain('2 deployments, list prices of us-east-1');
    expect(synthesized.output).not.toContain('feature flags are not configured');
  });

  it('deploys the stacks of one environment with the roles of its account', async () => {
    roles.length = 0;

    await runCdk(
      ['deploy', '--app', assembly, '--require-approval', 'never', 'latchkey-production-*'],
      CREDENTIALS,
    );

    expect(roles).not.toEqual([]);
    for (const role of roles) expect(role).toMatch(`::${PRODUCTION}:role/cdk-${qualifier}-`);
  });
});

it('a stage of the pipeline example is deployed by hand with the roles of its account', async () => {
  const assembly = temporaryFolder();
  // The package's names stand for the sources.
  const environment = { TSX_TSCONFIG_PATH: join(ROOT, 'tsconfig.json') };
  runApp(assembly, environment, join(ROOT, 'examples/pipeline'));
  const stage = 'latchkey-pipeline/Production/*';
  roles.length = 0;

  await runCdk(['deploy', '--app', assembly, '--require-approval', 'never', stage], CREDENTIALS);

  expect(roles).not.toEqual([]);
  for (const role of roles) expect(role).toMatch('::777788889999:role/cdk-hnb659fds-');
});
