import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { MIN_BOOTSTRAP_VERSION } from '../../cli/bootstrap-check';
import { bundlingOncePerRun } from '../support/bundling-once-per-run';
import { configuration } from '../support/lib/configuration';
import { synthesizeOnce, temporaryFolder } from '../support/lib/synthesis';
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
    actions.push(new URLSearchParams(body).get('Action') ?? request.url!);
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

beforeAll(() => new Promise<void>((resolve) => sts.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => sts.close(resolve)));

const deploy = (credentials: Record<string, string>) =>
  runCdk(['deploy', '--all', '--require-approval', 'never'], credentials);

/** Runs a command of the CDK CLI without a configuration, with AWS on loopback. */
function runCdk(
  args: string[],
  credentials: Record<string, string>,
): Promise<{ status: number | null; output: string }> {
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/aws-cdk/bin/cdk'), ...args, ...['--no-notices', '--output', temporaryFolder()]],
    {
      cwd: ROOT,
      env: {
        ...{ PATH: process.env.PATH, CDK_HOME: temporaryFolder(), CI: 'true', CDK_VALIDATION: 'false' },
        ...{
          AWS_ENDPOINT_URL: `http://127.0.0.1:${(sts.address() as AddressInfo).port}`,
          AWS_REGION: 'eu-west-1',
        },
        ...{ AWS_EC2_METADATA_DISABLED: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' },
        [TEST_RUN_VARIABLE]: testRunFolder(),
        ...bundlingOncePerRun(),
        ...credentials,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, output })));
}

describe('`cdk deploy` without a configuration', () => {
  it('is refused without AWS credentials', async () => {
    const { status, output } = await deploy({});

    expect(status).toBe(1);
    expect(output).toContain('Need to perform AWS calls for account 000000000000');
  });

  it('is refused with credentials of an account, before anything is changed', async () => {
    actions.length = 0;

    const { status, output } = await deploy(CREDENTIALS);

    expect(status).toBe(1);
    expect(output).toContain('npx latchkey init ');
    expect(output).toContain(`current credentials (which are for account ${CALLER}`);
    expect([...new Set(actions)]).toEqual(['GetCallerIdentity', 'AssumeRole']);
  });
});

it('`cdk bootstrap`, as doctor prints it, looks for the bootstrap stack of that account', async () => {
  actions.length = 0;

  await runCdk(['bootstrap', `aws://${CALLER}/eu-west-1`], CREDENTIALS);

  expect([...new Set(actions)].slice(0, 2)).toEqual(['GetCallerIdentity', 'DescribeStacks']);
});

describe('the bootstrap stack that doctor asks for', () => {
  it('is the oldest that the stacks allow', () => {
    const { stacks } = synthesizeOnce(configuration()).assembly;

    for (const stack of stacks) expect(stack.requiresBootstrapStackVersion).toBe(MIN_BOOTSTRAP_VERSION);
  });
});
