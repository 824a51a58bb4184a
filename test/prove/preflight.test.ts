import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Caller } from '../../prove/caller';
import { preflight } from '../../prove/preflight';

const ROOT = join(__dirname, '../..');

interface Settings {
  loggingRole?: string;
  freeConcurrency?: number;
  /** @default none */
  bootstrap?: { name: string; version: string };
  denied?: boolean;
}

let server: Server;
let folder: string;
let calls: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-preflight-'));
  calls = [];
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** An account that answers what the preflight asks. */
async function accountWith({
  loggingRole,
  freeConcurrency = 1000,
  bootstrap,
  denied,
}: Settings): Promise<Caller> {
  const answers: Record<string, () => [number, object]> = {
    'GET /account': () =>
      denied
        ? [
            403,
            {
              __type: 'AccessDeniedException',
              message: 'User: x is not authorized to perform: apigateway:GET on resource: y',
            },
          ]
        : [200, { cloudwatchRoleArn: loggingRole }],
    'GET /2016-08-19/account-settings': () => [
      200,
      { AccountLimit: { UnreservedConcurrentExecutions: freeConcurrency } },
    ],
  };
  server = createServer((incoming, outgoing) => {
    let body = '';
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
    incoming.on('end', () => {
      const { Name } = (incoming.method === 'POST' ? JSON.parse(body) : {}) as { Name?: string };
      const key = `${incoming.method} ${Name ?? new URL(incoming.url!, 'http://aws').pathname}`;
      calls.push(key);
      const parameter = (): [number, object] =>
        Name === bootstrap?.name
          ? [200, { Parameter: { Name, Value: bootstrap!.version } }]
          : [400, { __type: 'ParameterNotFound' }];
      const [status, answer] = (answers[key] ?? parameter)();
      outgoing
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const place = { partition: 'aws', region: 'eu-west-1', accountId: '123456789012' };
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-west-1',
    profile: 'mine',
    credentials: { accessKeyId: 'AKIALOCAL', secretAccessKey: 'x' },
    maxAttempts: 1,
  };
  return { place, arn: 'arn:aws:iam::123456789012:user/me', settings };
}

const check = (caller: Caller) =>
  preflight(caller, {
    ...{ env: {}, workingDir: folder, projectRoot: ROOT },
    interrupted: new AbortController().signal,
  });
const BOOTSTRAPPED = { name: '/cdk-bootstrap/hnb659fds/version', version: '28' };

it('finds out whether API Gateway has a logging role, and changes nothing', async () => {
  const found = await check(await accountWith({ bootstrap: BOOTSTRAPPED, loggingRole: 'arn:role' }));

  expect(found).toEqual({ hasLoggingRole: true, notes: [] });
  expect(calls.sort()).toEqual([
    'GET /2016-08-19/account-settings',
    'GET /account',
    'POST /cdk-bootstrap/hnb659fds/version',
  ]);
});

it('says that there are no access logs without one', async () => {
  const { hasLoggingRole, notes } = await check(await accountWith({ bootstrap: BOOTSTRAPPED }));

  expect(hasLoggingRole).toBe(false);
  expect(notes).toEqual([expect.stringContaining('no access log')]);
});

it('refuses an account that CDK cannot deploy to, and says how to change that', async () => {
  await expect(check(await accountWith({}))).rejects.toMatchObject({
    code: 'not_bootstrapped',
    advice: 'Once per account and region: npx cdk bootstrap aws://123456789012/eu-west-1 --profile mine',
  });
});

it('looks for the bootstrap stack of the app in the working folder', async () => {
  const context = { '@aws-cdk/core:bootstrapQualifier': 'mine123' };
  writeFileSync(join(folder, 'cdk.json'), JSON.stringify({ context }));
  const bootstrap = { ...BOOTSTRAPPED, name: '/cdk-bootstrap/mine123/version' };

  await expect(check(await accountWith({ bootstrap }))).resolves.toBeDefined();
});

it('refuses an account with too few concurrent executions', async () => {
  const caller = await accountWith({ bootstrap: BOOTSTRAPPED, freeConcurrency: 5 });

  await expect(check(caller)).rejects.toMatchObject({
    code: 'quota_too_small',
    message: 'unreserved concurrent executions of Lambda: found 5; allowed: at least 10',
  });
});

it('says which permission is missing, and where they are listed', async () => {
  const caller = await accountWith({ bootstrap: BOOTSTRAPPED, denied: true });

  await expect(check(caller)).rejects.toMatchObject({
    exitCode: 77,
    code: 'access_denied',
    message: 'apigateway:GET on /account was denied: you are not allowed to apigateway:GET',
    advice: expect.stringContaining('latchkey prove --policy') as string,
  });
});
