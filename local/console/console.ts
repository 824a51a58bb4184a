import { type LocalDeployment } from '../../contract/local-run';
import { type Account } from '../account';
import { type RestApis } from '../api-gateway/rest-api';
import { type MetricStore } from '../cloudwatch/metric-store';
import { type RunClock } from '../run-clock';
import { HostError } from '../host-error';
import { callHttps } from '../https-call';
import { type FunctionInvoker, type Reporter } from '../interfaces';
import { deploymentFiles } from '../run-description';
import { type SandboxControl } from '../sandbox-control';
import { ConsoleActions } from './actions';
import { type ShownAlarm } from './alarms-view';
import { startConsoleServer } from './console-server';
import { type ConsoleDeployment, consoleView } from './console-view';
import { LiveState } from './live-state';
import { accessLogGroupAt } from './recent-restores';

/** Longer than API Gateway's integration timeout. */
const RESTORE_TIMEOUT_MS = 35_000;

/** What the console shows and acts on. */
export interface ConsoleOptions {
  account: Account;
  clock: RunClock;
  invoker: FunctionInvoker;
  reporter: Reporter;
  sandbox: SandboxControl;
  alarms: { states(): readonly ShownAlarm[] };
  metrics: Pick<MetricStore, 'latest'>;
  alarmTicks: { settle(): void };
  restApis: RestApis;
  /** PEM of the CA that signs the REST APIs' certificate. */
  apiCertificate: string;
  deployments: readonly LocalDeployment[];
  /** 0 picks a free port. */
  port: number;
}

/** A running console. */
export interface Console {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the console page, which shows the running system and acts on it.
 * @throws {HostError} `port_in_use`
 */
export async function startConsole(options: ConsoleOptions): Promise<Console> {
  const {
    account,
    clock,
    sandbox,
    reporter,
    alarms,
    metrics,
    alarmTicks,
    port,
    apiCertificate: ca,
  } = options;
  const deployments = consoleDeployments(options);
  const live = new LiveState({
    readState: async () => {
      const [faults, requests] = await Promise.all([sandbox.faults(), sandbox.recentRequests()]);
      return consoleView({
        account,
        deployments,
        alarms: alarms.states(),
        metrics,
        faults,
        requests,
        nowMs: clock.nowMs(),
        aheadMs: clock.offsetMs(),
        isAdvancing: clock.currentJump() !== undefined,
      });
    },
    onError: (error) => reporter.warning(`the console cannot read the state of the system: ${error.message}`),
  });
  const actions = new ConsoleActions({
    ...options,
    clock: {
      currentJump: () => clock.currentJump(),
      advance: async (sec) => {
        await clock.advance(sec);
        alarmTicks.settle();
      },
    },
    callRestoreApi: (url, headers, body) =>
      callHttps({ method: 'POST', url, ca, headers, body, timeoutMs: RESTORE_TIMEOUT_MS }),
  });
  const runAction = (name: string, body: string) => actions.run(name, body);
  const server = await startConsoleServer({ live, runAction, reporter, port }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      const message = `port ${port} for the console is in use; choose another with --console-port`;
      throw new HostError('port_in_use', message, { cause: error });
    },
  );
  return {
    url: server.url,
    close: async () => {
      live.close();
      await server.close();
    },
  };
}

/** The running deployments, with what the console needs to show each. */
function consoleDeployments({ account, restApis, deployments }: ConsoleOptions): ConsoleDeployment[] {
  const files = deploymentFiles(account);
  return deployments.map(({ environment, platformRegion, stack, functions, restoreApiUrl, tenants }) => {
    const file = files.find(
      (each) => each.environment === environment && each.platformRegion === platformRegion,
    )!;
    const accessLogGroup =
      restoreApiUrl === undefined ? undefined : accessLogGroupAt(restoreApiUrl, restApis);
    return {
      file,
      stack,
      hasRestoreApi: restoreApiUrl !== undefined,
      ...(accessLogGroup !== undefined && {
        restoreLogs: {
          deploymentKey: { environment, platformRegion },
          tenantIds: tenants.map(({ tenantId }) => tenantId),
          accessLogGroup,
          functionLogGroup: account.functions.get(functions.restore ?? '')?.logGroupName,
        },
      }),
    };
  });
}
