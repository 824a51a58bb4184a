import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { callLaptop } from '../../packages/aws-proof/src/laptop';
import { load, placeOf } from './support/journeys';
import { PROJECT_ROOT } from './support/local-process';
import { blocksOf, type ShellResult } from './support/runbook';
import { RunningSystem } from './support/running-system';

/** Destroys everything, and removes with the blocks of docs/destroy.md what is left. They need the AWS CLI. */
const PAGE = readFileSync(join(PROJECT_ROOT, 'docs/destroy.md'), 'utf8');
const [NAMES, LOOK, DELETE_SECRETS, RESTORE, DELETE_KEY, DELETE_LOG, GIVE_UP_ROLE] = blocksOf(
  { file: 'destroy.md', text: PAGE },
  'sh',
) as [string, string, string, string, string, string, string];
const withCli = spawnSync('aws', ['--version']).status === 0 ? it : it.skip;

const ROLE = 'arn:aws:iam::111122223333:role/team/latchkey-api-gateway-LoggingRole0BCFB29B-1A2B3C';

let system: RunningSystem;
let secrets: SecretsManagerClient;
let tenantId: string;
let others: Server;
/** What API Gateway and IAM were asked, which the laptop does not have. */
const asked: string[] = [];
let loggingRole = ROLE;

beforeAll(async () => {
  others = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(`${request.method} ${request.url} ${body}`);
      const isApi = request.url?.startsWith('/account') === true;
      response.setHeader('content-type', isApi ? 'application/json' : 'text/xml');
      response.end(isApi ? JSON.stringify({ cloudwatchRoleArn: loggingRole }) : '<Answer/>');
    });
  });
  await new Promise<void>((resolve) => others.listen(0, '127.0.0.1', resolve));
  system = await RunningSystem.startConfigured(
    (configuration) => {
      const [first] = configuration.deployments;
      configuration.deployments = [Object.assign(first!, { restoreApi: { auditRetentionDays: 365 } })];
    },
    ['--no-job'],
  );
  const place = placeOf(system, 'staging', 'global');
  ({ tenantId } = place.tenant);
  await load(place);
  const { endpoint, region } = system.run.aws;
  secrets = new SecretsManagerClient({ endpoint, region, credentials: system.run.aws });
}, 120_000);

afterAll(async () => {
  secrets.destroy();
  others.closeAllConnections();
  await new Promise((resolve) => others.close(resolve));
  await system.stop();
});

function run(block: string, more: Record<string, string> = {}): Promise<ShellResult> {
  const { port } = others.address() as AddressInfo;
  const { endpoint, region, accessKeyId, secretAccessKey } = system.run.aws;
  const env = {
    PATH: process.env.PATH!,
    HOME: process.env.HOME ?? '/',
    TENANT: tenantId,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_IAM: `http://127.0.0.1:${port}`,
    AWS_ENDPOINT_URL_API_GATEWAY: `http://127.0.0.1:${port}`,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_MAX_ATTEMPTS: '1',
    ...more,
  };
  // Not synchronously: this process answers for API Gateway and IAM.
  return new Promise((resolve) => {
    const script = `${NAMES}\n${block}`;
    const shell = ['--norc', '-eu', '-o', 'pipefail', '-c', script];
    const child = execFile('bash', shell, { env }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, output: `${stdout}\n${stderr}` }),
    );
  });
}

/** The names of this deployment's secrets that are not scheduled for deletion. */
async function names(): Promise<string[]> {
  const Filters = [{ Key: 'name' as const, Values: ['latchkey/staging/global/'] }];
  const { SecretList = [] } = await secrets.send(new ListSecretsCommand({ Filters, MaxResults: 100 }));
  return SecretList.map(({ Name }) => Name!);
}

describe('after cdk destroy', () => {
  let key: string;

  beforeAll(async () => {
    const access = { ...system.run.aws, credentials: system.run.aws, systemClockOffset: 0 };
    const list = async () => {
      const { stacks } = (await callLaptop(access, 'stacks', { action: 'list' })) as {
        stacks: { name: string }[];
      };
      return stacks.map(({ name }) => name);
    };
    // Tenants first, as CDK does.
    const names = (await list()).sort((one, other) => other.length - one.length);
    await callLaptop(access, 'stacks', { action: 'delete', names });
    expect(await list()).toEqual([]);
  });

  it('only what cannot be created again is left', async () => {
    const left = await names();

    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((name) => !/\/(client-credentials|api-key)$/.test(name))).toEqual([]);
  });

  withCli('the page lists it, with the key and the log', async () => {
    const { exitCode, output } = await run(LOOK);

    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
    for (const name of await names()) expect(output).toContain(name);
    key = /arn:aws:kms:\S+/.exec(output)![0];
    expect(output).toMatch(/^latchkey-staging-global-\S+$/m);
  });

  withCli('the secrets are deleted, and one is restored in time', async () => {
    expect(await run(DELETE_SECRETS)).toMatchObject({ exitCode: 0 });
    expect(await names()).toEqual([]);

    expect(await run(RESTORE)).toMatchObject({ exitCode: 0 });
    expect(await names()).toEqual([`latchkey/staging/global/${tenantId}/client-credentials`]);

    expect(await run(DELETE_SECRETS)).toMatchObject({ exitCode: 0 });
    expect(await names()).toEqual([]);
  });

  withCli('the key is scheduled for deletion', async () => {
    const { exitCode, output } = await run(DELETE_KEY, { KEY: key });

    expect({ exitCode, output }).toMatchObject({
      exitCode: 0,
      output: expect.stringContaining('Enabled') as string,
    });
    const after = await run(DELETE_KEY.split('\n')[0]!, { KEY: key });
    expect(after.output).toContain('PendingDeletion');
  });

  withCli('the log is deleted', async () => {
    expect(await run(DELETE_LOG)).toMatchObject({ exitCode: 0 });
    expect((await run(LOOK)).output).not.toContain('latchkey-staging-global-');
  });

  withCli('the logging role is given up, if it is Latchkey’s', async () => {
    expect(await run(GIVE_UP_ROLE)).toMatchObject({ exitCode: 0 });

    const name = 'RoleName=latchkey-api-gateway-LoggingRole0BCFB29B-1A2B3C';
    expect(asked).toEqual([
      expect.stringMatching(/^GET \/account/),
      expect.stringMatching(
        /^PATCH \/account .*"op": ?"replace".*"path": ?"\/cloudwatchRoleArn".*"value": ?""/,
      ),
      expect.stringMatching(new RegExp(`Action=DetachRolePolicy.*${name}.*PolicyArn=.*PushToCloudWatchLogs`)),
      expect.stringMatching(new RegExp(`Action=DeleteRole&.*${name}`)),
    ]);
    loggingRole = 'arn:aws:iam::111122223333:role/of-another-team';
    asked.length = 0;
    expect((await run(GIVE_UP_ROLE)).exitCode).not.toBe(0);
    expect(asked).toEqual([expect.stringMatching(/^GET \/account/)]);
  });
});
