import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalDeployment } from '../../../contract/local-run';
import { MetricStore } from '../../../local/cloudwatch/metric-store';
import { RestApis } from '../../../local/api-gateway/rest-api';
import { standingClock } from '../../support/local/standing-clock';
import { type Console, type ConsoleOptions, startConsole } from '../../../local/console/console';
import { type ConsoleState } from '../../../local/console/console-state';
import { type SandboxControl } from '../../../local/sandbox-control';
import { lambdaFunction } from '../../support/local/account-parts';
import { RecordingReporter } from '../../support/local/recording-reporter';
import { CannedInvoker } from '../aws/local-account';
import {
  DEPLOYMENT_KEY,
  CONTENT_ID,
  DEPLOYMENT,
  firstEvent,
  NOW_MS,
  PLACE,
  ShownAccount,
  TENANT_ID,
} from './shown-account';

const codeDir = mkdtempSync(join(tmpdir(), 'console-'));
writeFileSync(join(codeDir, 'deployment.json'), JSON.stringify(DEPLOYMENT));
const deployment: LocalDeployment = {
  ...DEPLOYMENT_KEY,
  stack: 'latchkey-staging-mea',
  functions: {},
  platform: DEPLOYMENT.platform,
  tenants: [],
};
const requests = [
  {
    at: new Date(NOW_MS).toISOString(),
    target: 'content',
    method: 'POST',
    path: `/staging/mea/rest/v1/contents/${CONTENT_ID}/restore`,
    status: 200,
    durationMs: 5,
  },
];
let served: Console | undefined;

afterEach(async () => {
  await served?.close();
  served = undefined;
});
afterAll(() => rmSync(codeDir, { recursive: true }));

const clock = standingClock(NOW_MS);
let settled = 0;

function options(port: number): ConsoleOptions {
  const { account } = new ShownAccount();
  const fn = lambdaFunction('token-refresh', { codeDir });
  account.functions.set(fn.arn, fn);
  return {
    account,
    clock,
    invoker: new CannedInvoker(),
    reporter: new RecordingReporter(),
    sandbox: {
      faults: async () => [{ target: 'token', status: 503, match: PLACE }],
      recentRequests: async () => requests,
    } as unknown as SandboxControl,
    alarms: {
      states: () => [
        {
          name: 'latchkey-staging-mea/tokens',
          description: 'Tokens are not renewed.',
          state: 'ALARM',
          stateUpdatedMs: NOW_MS,
          isPaging: true,
        },
      ],
    },
    metrics: new MetricStore(),
    alarmTicks: { settle: () => (settled += 1) },
    restApis: new RestApis(),
    apiCertificate: '',
    deployments: [deployment],
    port,
  };
}

test('the first event has the state of the account, its alarms and the sandbox', async () => {
  served = await startConsole(options(0));

  const { text, close } = await firstEvent(served.url);
  close();
  const state = JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as ConsoleState;

  expect(state).toMatchObject({
    nowMs: NOW_MS,
    isAdvancing: false,
    deployments: [
      { stack: 'latchkey-staging-mea', hasRestoreApi: false, tenants: [{ tenantId: TENANT_ID }] },
    ],
    alarms: { inAlarm: [{ name: 'tokens', notifies: true, advice: 'Tokens are not renewed.' }] },
    faults: [{ effect: 'returns 503' }],
    requests: [{ path: requests[0]!.path, status: 200 }],
    restores: [],
  });
});

test('advancing the clock updates the alarms', async () => {
  served = await startConsole(options(0));

  const answer = await fetch(`${served.url}actions/advance-clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"sec":300}',
  });

  expect(await answer.json()).toEqual({ ok: true, message: 'The clock was advanced by 5 minutes' });
  expect(settled).toBe(1);
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
