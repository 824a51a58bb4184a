import { type LocalDeployment } from '../../core/deployment/local-run';
import { deploymentKeyOf, isSameDeployment } from '../../core/tokens/token-key';
import {
  type Account,
  HostError,
  type MetricStore,
  type Reporter,
  type RestApis,
  type RunClock,
} from 'cdk-on-loopback';
import { deploymentFiles } from '../run-description';
import { type SandboxControl } from '../sandbox-control';
import { type ShownAlarm } from './alarms-view';
import { type ConsoleServer, startConsoleServer } from './console-server';
import { type ConsoleDeployment, consoleView } from './console-view';
import { accessLogGroupAt } from './recent-restores';

/** What the console shows. */
export interface ConsoleOptions {
  account: Account;
  clock: Pick<RunClock, 'nowMs' | 'offsetMs'>;
  reporter: Reporter;
  sandbox: Pick<SandboxControl, 'faults' | 'recentRequests'>;
  alarms: { states(): readonly ShownAlarm[] };
  metrics: Pick<MetricStore, 'latest'>;
  restApis: RestApis;
  deployments: readonly LocalDeployment[];
  /** 0 picks a free port. */
  port: number;
}

/**
 * Serves the console page, which shows the running system.
 * @throws {HostError} `port_in_use`
 */
export async function startConsole(options: ConsoleOptions): Promise<ConsoleServer> {
  const { account, clock, sandbox, reporter, alarms, metrics, port } = options;
  const deployments = consoleDeployments(options);
  const readState = async () => {
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
    });
  };
  return startConsoleServer({ readState, reporter, port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    const message = `port ${port} for the console is in use; choose another with --console-port`;
    throw new HostError('port_in_use', message, { cause: error });
  });
}

/** The running deployments, with what the console needs to show each. */
function consoleDeployments({ account, restApis, deployments }: ConsoleOptions): ConsoleDeployment[] {
  const files = deploymentFiles(account);
  return deployments.map((deployment) => {
    const { stack, functions, restoreApiUrl, tenants } = deployment;
    const file = files.find((each) => isSameDeployment(each, deployment))!;
    const accessLogGroup =
      restoreApiUrl === undefined ? undefined : accessLogGroupAt(restoreApiUrl, restApis);
    return {
      file,
      stack,
      hasRestoreApi: restoreApiUrl !== undefined,
      ...(accessLogGroup !== undefined && {
        restoreLogs: {
          deploymentKey: deploymentKeyOf(deployment),
          tenantIds: tenants.map(({ tenantId }) => tenantId),
          accessLogGroup,
          functionLogGroup: account.functions.get(functions.restore ?? '')?.logGroupName,
        },
      }),
    };
  });
}
