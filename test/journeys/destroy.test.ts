import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { ListSecretsCommand } from '@aws-sdk/client-secrets-manager';

import { blocksOf } from './support/pages';
import { RunningSystem } from './support/running-system';
import { runShell } from './support/shell';

/** Destroys everything, and removes with the blocks of docs/destroy.md what is left. They need the AWS CLI. */
const [NAMES, LOOK, DELETE_SECRETS, RESTORE, DELETE_KEY, DELETE_LOG, GIVE_UP_ROLE] = blocksOf(
  'destroy.md',
) as [string, string, string, string, string, string, string];
const withCli = spawnSync('aws', ['--version']).status === 0 ? it : it.skip;

const ROLE = 'latchkey-api-gateway-LoggingRole0BCFB29B-1A2B3C';

let system: RunningSystem;
let tenantId: string;
/** Stands for API Gateway and IAM, which the laptop does not have. */
let others: Server;
/** What those were asked. */
const asked: string[] = [];
let loggingRole = `arn:aws:iam::111122223333:role/team/${ROLE}`;
let key: string;

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
    (deployments) => {
      deployments.splice(1);
      deployments[0]!.restoreApi = { auditRetentionDays: 365 };
    },
    ['--no-job'],
  );
  const place = system.place('staging', 'global');
  ({ tenantId } = place.tenant);
  await place.load();
  const stackNames = async () => {
    const { stacks } = (await system.callLaptop('stacks', { action: 'list' })) as {
      stacks: { name: string }[];
    };
    return stacks.map(({ name }) => name);
  };
  // Tenants first, as CDK does.
  const names = (await stackNames()).sort((one, other) => other.length - one.length);
  await system.callLaptop('stacks', { action: 'delete', names });
  expect(await stackNames()).toEqual([]);
}, 120_000);

afterAll(async () => {
  others.closeAllConnections();
  await new Promise((resolve) => others.close(resolve));
  await system.stop();
});

async function run(block: string, more: Record<string, string> = {}) {
  const { port } = others.address() as AddressInfo;
  const { endpoint, region, accessKeyId, secretAccessKey } = system.run.aws;
  return runShell(`${NAMES}\n${block}`, {
    PATH: process.env.PATH,
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
  });
}

/** The names of this deployment's secrets that are not scheduled for deletion. */
async function names(): Promise<string[]> {
  const Filters = [{ Key: 'name' as const, Values: ['latchkey/staging/global/'] }];
  const { secrets } = system.administrator;
  const { SecretList = [] } = await secrets.send(new ListSecretsCommand({ Filters, MaxResults: 100 }));
  return SecretList.map(({ Name }) => Name!);
}

it('only what cannot be created again is left', async () => {
  const left = await names();

  expect(left.length).toBeGreaterThan(0);
  expect(left.filter((name) => !/\/(client-credentials|api-key)$/.test(name))).toEqual([]);
});

withCli('the page lists it, with the key and the log', async () => {
  const look = await run(LOOK);

  expect(look).toMatchObject({ exitCode: 0 });
  for (const name of await names()) expect(look.stdout).toContain(name);
  key = /arn:aws:kms:\S+/.exec(look.stdout)![0];
  expect(look.stdout).toMatch(/^latchkey-staging-global-\S+$/m);
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
  const [describe = ''] = DELETE_KEY.split('\n');

  const before = await run(DELETE_KEY, { KEY: key });
  const after = await run(describe, { KEY: key });

  expect(before).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Enabled') as string });
  expect(after.stdout).toContain('PendingDeletion');
});

withCli('the log is deleted', async () => {
  expect(await run(DELETE_LOG)).toMatchObject({ exitCode: 0 });
  expect((await run(LOOK)).stdout).not.toContain('latchkey-staging-global-');
});

withCli('the logging role is given up, if it is Latchkey’s', async () => {
  expect(await run(GIVE_UP_ROLE)).toMatchObject({ exitCode: 0 });

  expect(asked).toEqual([
    expect.stringMatching(/^GET \/account/),
    expect.stringMatching(
      /^PATCH \/account .*"op": ?"replace".*"path": ?"\/cloudwatchRoleArn".*"value": ?""/,
    ),
    expect.stringMatching(
      new RegExp(`Action=DetachRolePolicy.*RoleName=${ROLE}.*PolicyArn=.*PushToCloudWatchLogs`),
    ),
    expect.stringMatching(new RegExp(`Action=DeleteRole&.*RoleName=${ROLE}`)),
  ]);
  loggingRole = 'arn:aws:iam::111122223333:role/of-another-team';
  asked.length = 0;
  expect((await run(GIVE_UP_ROLE)).exitCode).not.toBe(0);
  expect(asked).toEqual([expect.stringMatching(/^GET \/account/)]);
});
