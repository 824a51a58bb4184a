import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type LocalDeployment } from '../../../core/deployment/local-run';
import {
  lambdaFunction,
  MetricStore,
  RecordingReporter,
  RestApis,
  standingClock,
} from 'cdk-on-loopback/testing';
import { type ConsoleOptions, startConsole } from '../../../laptop/console/console';
import { type SandboxRequest } from '../../../laptop/sandbox-control';
import { newFolder } from '../../support/new-folder';
import { DEPLOYMENT_KEY, DEPLOYMENT, NOW_MS, PLACE, ShownAccount, TENANT_ID } from './shown-account';

const codeDir = newFolder();
writeFileSync(join(codeDir, 'deployment.json'), JSON.stringify(DEPLOYMENT));
const STACK = { ...DEPLOYMENT_KEY, stack: 'latchkey-staging-mea', functions: {}, tenants: [] };
const REQUEST = { path: '/staging/mea/rest/v1/contents', status: 200 };

function options(port: number): ConsoleOptions {
  const { account } = new ShownAccount();
  const fn = lambdaFunction('token-refresh', { codeDir });
  account.functions.set(fn.arn, fn);
  return {
    account,
    clock: standingClock(NOW_MS),
    reporter: new RecordingReporter(),
    sandbox: {
      faults: async () => [{ target: 'token', status: 503, match: PLACE }],
      recentRequests: async () => [REQUEST as SandboxRequest],
    },
    alarms: {
      states: () => [
        {
          name: 'latchkey-staging-mea/tokens',
          description: 'Tokens are not renewed.',
          state: 'ALARM',
          stateUpdatedMs: NOW_MS,
          notifies: true,
        },
      ],
    },
    metrics: new MetricStore(),
    restApis: new RestApis(),
    deployments: [STACK as unknown as LocalDeployment],
    port,
  };
}

test('the state has the account, its alarms and the sandbox', async () => {
  const served = await startConsole(options(0));

  const state: unknown = await (await fetch(`${served.url}state`)).json();
  await served.close();

  expect(state).toMatchObject({
    nowMs: NOW_MS,
    aheadMs: 0,
    deployments: [
      { stack: 'latchkey-staging-mea', hasRestoreApi: false, tenants: [{ tenantId: TENANT_ID }] },
    ],
    alarms: {
      inAlarm: [{ name: 'tokens', advice: expect.stringContaining('Tokens are not renewed.') as string }],
    },
    faults: [{ effect: 'returns 503' }],
    requests: [REQUEST],
    restores: [],
  });
});

test('a port that is taken is reported with its number', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;

  await expect(startConsole(options(port))).rejects.toMatchObject({
    code: 'port_in_use',
    message: `port ${port} for the console is in use; choose another with --console-port`,
  });
  await new Promise((resolve) => taken.close(resolve));
});
