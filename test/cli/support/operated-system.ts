import { LEARNING_PLATFORM } from '../../../core/issuers/learning-platform';
import { type CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { type SchedulerClient } from '@aws-sdk/client-scheduler';
import { type SSMClient } from '@aws-sdk/client-ssm';
import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type CommandContext } from '../../../cli/command';
import { CommandError, interruption } from '../../../cli/command-error';
import { EXIT, type ExitCode } from '../../../cli/exit-codes';
import { type Deployment, type RestoreApi, type System, type Tenant } from '../../../cli/system';
import { type DeploymentSnapshot } from '../../../core/deployment/deployment-snapshot';
import { type DeploymentKey, deploymentName } from '../../../core/tokens/token-key';
import { snapshotOf } from '../../core/findings/snapshots';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { FakeTerminal } from './fake-terminal';
import { InMemoryAlarms, InMemorySchedules } from './in-memory-monitoring';

/** The log group of the restore function. */
export const LOG_GROUP = 'restore-log-group-of-staging-mea';

export const DEPLOYMENT_KEY: DeploymentKey = { environment: 'staging', platformRegion: 'mea' };

/** A tenant with content tokens of these scopes. */
export function tenantOf(tenantId: string, scopes: ('api/read' | 'api/write')[] = ['api/read']): Tenant {
  const root = `latchkey/staging/mea/${tenantId}`;
  return {
    tenantId,
    secretIds: { 'client-credentials': `${root}/client-credentials`, 'api-key': `${root}/api-key` },
    tokens: scopes.map((scope) => ({
      interface: 'content',
      scope,
      secretId: `${root}/token/content/${scope.replace('/', '-')}`,
    })),
  };
}

/** A function's answer to an event; the client throws an error. With an `errorMessage`, the function failed. */
export type FakeFunction = (event: Record<string, unknown>) => object;

/** A system with one deployment and scripted functions. */
export class OperatedSystem {
  nowMs = NOON_MS;
  /** The trace that commands continue. */
  traceparent: string | undefined;
  readonly functions: Record<string, FakeFunction> = {};
  readonly invoked: { name: string; event: Record<string, unknown> }[] = [];
  tenants: Tenant[] = [tenantOf('tenant-1')];
  /** Answers calls of Secrets Manager. */
  readonly secretsManager: { send: (command: unknown) => Promise<unknown> } = { send: async () => ({}) };
  readonly alarms = new InMemoryAlarms();
  readonly schedules = new InMemorySchedules();
  restoreApi: RestoreApi = { url: 'https://restore.example/v1', auth: 'platform' };
  /** What a test adds to the deployment, or has in place of it. */
  more: Partial<Record<keyof Deployment, unknown>> = {};
  /** What Lambda answers about the account; the client throws an error. */
  accountLimit: { ConcurrentExecutions: number; UnreservedConcurrentExecutions: number } | Error = {
    ConcurrentExecutions: 1_000,
    UnreservedConcurrentExecutions: 1_000,
  };
  /** Answers HTTPS requests. */
  sendRequest: System['sendRequest'] = () => Promise.reject(new Error('no request is expected'));
  /** Called for each wait. */
  onSleep: () => void = () => {};

  deployment(deploymentKey = DEPLOYMENT_KEY): Deployment {
    const stackName = `latchkey-${deploymentName(deploymentKey)}`;
    return {
      ...deploymentKey,
      stackName,
      prefix: 'latchkey',
      configured: undefined,
      issuing: {
        profile: LEARNING_PLATFORM,
        platform: {
          contentBaseUrl: 'https://platform.example/content',
          contentTokenBaseUrl: 'https://platform.example/auth',
        },
        tenants: this.tenants,
      },
      tenants: this.tenants,
      secretsManager: {
        send: (command: unknown) => this.secretsManager.send(command),
      } as unknown as SecretsManagerClient,
      cloudWatch: this.alarms as unknown as CloudWatchClient,
      scheduler: this.schedules as unknown as SchedulerClient,
      ssm: {} as SSMClient,
      lambda: {
        send: (command: InvokeLike | GetAccountSettingsCommand) =>
          command instanceof GetAccountSettingsCommand ? this.#answerLimit() : this.#invoke(command),
        config: {
          region: async () => 'eu-west-1',
          credentials: async () => ({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'canary-secret-key' }),
        },
      } as unknown as LambdaClient,
      functionArn: async (leaf) => {
        const name = leaf.replace(/-arn$/, '');
        if (name in this.functions) return `arn:aws:lambda:eu-west-1:111122223333:function:${name}`;
        throw new CommandError(EXIT.failed, 'not_found', `no function ${name}`);
      },
      restoreApi: async () => this.restoreApi,
      restoreLogs: async () => ({ logGroupName: LOG_GROUP, clientConfig: {} }),
      ...(this.more as Partial<Deployment>),
    };
  }

  system(deploymentKeys = [DEPLOYMENT_KEY]): System {
    return {
      deployments: deploymentKeys.map((deploymentKey) => this.deployment(deploymentKey)),
      flags: '--local',
      sendRequest: (request) => this.sendRequest(request),
    };
  }

  /** Runs a command that must not fail. @returns its result, its exit code and all that it showed */
  async run<Flags>(
    command: (context: CommandContext, flags: Flags) => Promise<ExitCode>,
    flags: Flags,
    terminal = new FakeTerminal(),
    system = this.system(),
  ) {
    const exitCode = await command(this.context(terminal, system), flags);
    const { text = '', document = {} } = terminal.results[0] ?? {};
    return { exitCode, text, document, visibleText: terminal.visibleText() };
  }

  context(terminal: FakeTerminal, system = this.system()): CommandContext {
    return {
      terminal,
      system: async () => system,
      nowMs: () => this.nowMs,
      traceparent: this.traceparent,
      sleep: async (ms) => {
        this.onSleep();
        if (terminal.interrupted.aborted) throw interruption();
        this.nowMs += ms;
      },
    };
  }

  async #answerLimit(): Promise<object> {
    if (this.accountLimit instanceof Error) throw this.accountLimit;
    return { AccountLimit: this.accountLimit };
  }

  async #invoke({ input }: InvokeLike): Promise<unknown> {
    const event = JSON.parse(Buffer.from(input.Payload).toString()) as Record<string, unknown>;
    const name = input.FunctionName.split(':')[6]!;
    this.invoked.push({ name, event });
    const answer = this.functions[name]!(event);
    if (answer instanceof Error) throw answer;
    if ('errorMessage' in answer) return { FunctionError: 'Unhandled' };
    return { Payload: Buffer.from(JSON.stringify(answer)) };
  }
}

interface InvokeLike {
  input: { FunctionName: string; Payload: Uint8Array };
}

/** A deployment with one tenant, of which credential-watch returns that snapshot. @param snapshot healthy by default */
export function operatedTenant(snapshot: () => DeploymentSnapshot = () => snapshotOf()): OperatedSystem {
  const system = new OperatedSystem();
  system.tenants = [tenantOf(TENANT_ID)];
  system.functions['credential-watch'] = snapshot;
  return system;
}

/** The failure of a command that must fail. */
export async function failureOf(work: Promise<ExitCode> | (() => unknown)): Promise<CommandError> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}
