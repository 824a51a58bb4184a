import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  DeleteStackCommand,
  paginateDescribeStackEvents,
  paginateDescribeStacks,
  paginateListStackResources,
  type Stack,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';

import { interruption } from '../../cli/command-error';
import { DeploymentFailed, type Outputs, type Place, type StackTemplate } from '../../probes/system';
import { type AccountStacks, type ListedStack, type StackResource } from './account-stacks';
import { type CdkCommand, runCdk } from './cdk-command';
import { roleArn, writeAssembly } from './template-assembly';

/** Settings of the caller's SDK clients. */
type CallerConfig = Pick<CloudFormationClientConfig, 'credentials' | 'endpoint' | 'maxAttempts' | 'profile'>;

/** After this time, an operation that another process began is not waited for. CloudFormation itself has no limit. */
const LONGEST_OPERATION_MS = 30 * 60 * 1000;
const LOOK_AGAIN_MS = 3_000;
/** CloudFormation's clock and this machine's may differ. */
const CLOCK_SKEW_MS = 60_000;

/** Without change sets, of which an interruption would leave one with an empty stack. */
const DEPLOY = ['deploy', '--require-approval', 'never', '--method', 'direct'];

interface CdkStacksOptions {
  readonly place: Place;
  /** The run's prefix. */
  readonly prefix: string;
  /** Of the account's CDK bootstrap stack. */
  readonly qualifier: string;
  readonly command: CdkCommand;
  /** Settings of the caller's SDK clients. */
  readonly clientConfig: CallerConfig;
  /** How long to wait before CloudFormation is asked again. @default 3 s */
  readonly lookAgainMs?: number;
}

/**
 * The stacks of an account, which the command `cdk` deploys. CloudFormation is asked with the role with which CDK deploys, so that
 * the caller needs no other permission for it than `sts:AssumeRole`.
 */
export class CdkStacks implements AccountStacks {
  readonly #options: CdkStacksOptions;
  readonly #cloudFormation: CloudFormationClient;

  constructor(options: CdkStacksOptions) {
    this.#options = options;
    const { clientConfig, place } = options;
    this.#cloudFormation = new CloudFormationClient({
      ...clientConfig,
      region: place.region,
      credentials: () => this.#assumeDeployRole(),
    });
  }

  async deploy(...stacks: readonly StackTemplate[]): Promise<Readonly<Record<string, Outputs>>> {
    return this.#withAssembly(stacks, (dir) => this.deployAssembly(dir));
  }

  /** With a change set, because only one that knows of drift reverts it. */
  readonly revertDrift = (stack: StackTemplate): Promise<void> =>
    this.#withAssembly([stack], (dir) =>
      this.#run(dir, ['deploy', '--require-approval', 'never', '--revert-drift']),
    );

  async deployAssembly(dir: string): Promise<Readonly<Record<string, Outputs>>> {
    const outputDir = mkdtempSync(join(tmpdir(), 'latchkey-outputs-'));
    const outputsFile = join(outputDir, 'outputs.json');
    try {
      await this.#run(dir, [...DEPLOY, '--outputs-file', outputsFile]);
      const outputs = JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Outputs>;
      // CDK leaves out a stack without outputs.
      return Object.fromEntries(stackNamesIn(dir).map((name) => [name, outputs[name] ?? {}]));
    } finally {
      rmSync(outputDir, { recursive: true });
    }
  }

  async delete(...names: readonly string[]): Promise<void> {
    const present = await this.#settled(names);
    const stacks = names.filter((name) => present.has(name)).map((name) => ({ name, template: NOTHING }));
    if (stacks.length === 0) return;
    try {
      await this.#withAssembly(stacks, (dir) => this.#run(dir, ['destroy', '--force']));
    } catch (error) {
      if (!(error instanceof DeploymentFailed)) throw error;
      await this.#deleteStuck(names, error);
    }
  }

  async list(prefix: string): Promise<readonly ListedStack[]> {
    const stacks = await this.#describe((name) => name.startsWith(prefix));
    const inOrder = stacks.sort((a, b) => a.CreationTime!.getTime() - b.CreationTime!.getTime());
    return inOrder.map(({ StackName, StackStatus, StackStatusReason: reason, CreationTime }) => ({
      name: StackName!,
      status: StackStatus!,
      createdAt: CreationTime!,
      ...(reason !== undefined && { reason }),
    }));
  }

  async resources(StackName: string): Promise<readonly StackResource[]> {
    const found: StackResource[] = [];
    const client = this.#cloudFormation;
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
      for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries)
        if (PhysicalResourceId !== undefined) found.push({ type: ResourceType!, id: PhysicalResourceId });
    return found;
  }

  /** @throws {DeploymentFailed} */
  async #run(assemblyDir: string, args: readonly string[]): Promise<void> {
    const { command } = this.#options;
    const since = Date.now() - CLOCK_SKEW_MS;
    const { exitCode, lastLines } = await runCdk(assemblyDir, args, command);
    if (exitCode === 0) return;
    throw (
      (await this.#failureSince(since, stackNamesIn(assemblyDir))) ??
      new DeploymentFailed(lastLines, undefined)
    );
  }

  /** What CloudFormation says about the first stack that failed; undefined if it was not asked to change any. */
  async #failureSince(sinceMs: number, names: readonly string[]): Promise<DeploymentFailed | undefined> {
    const stacks = await this.#describe((name) => names.includes(name)).catch(() => []);
    for (const name of names) {
      const stack = stacks.find(({ StackName }) => StackName === name);
      if (stack === undefined || !/FAILED|ROLLBACK/.test(stack.StackStatus!)) continue;
      const reason = await this.#firstFailure(stack, sinceMs);
      if (reason === undefined) continue;
      return new DeploymentFailed(`stack ${name} is in ${stack.StackStatus}: ${reason}`, stack.StackStatus);
    }
    return undefined;
  }

  /** The resource that failed first, with the reason. Others fail because of it. */
  async #firstFailure({ StackId }: Stack, sinceMs: number): Promise<string | undefined> {
    const events: StackEvent[] = [];
    const client = this.#cloudFormation;
    for await (const { StackEvents = [] } of paginateDescribeStackEvents(
      { client },
      { StackName: StackId },
    )) {
      const recent = StackEvents.filter(({ Timestamp }) => Timestamp!.getTime() >= sinceMs);
      events.push(...recent);
      if (recent.length < StackEvents.length) break;
    }
    const failed = events.reverse().find(({ ResourceStatus = '' }) => ResourceStatus.endsWith('_FAILED'));
    return failed && `${failed.LogicalResourceId}: ${failed.ResourceStatusReason ?? failed.ResourceStatus}`;
  }

  /**
   * Deletes stacks whose deletion failed, without the resources that could not be deleted: these are found by their names later.
   * @throws {DeploymentFailed} the failure until now, if there is another reason
   */
  async #deleteStuck(names: readonly string[], failure: DeploymentFailed): Promise<void> {
    const present = await this.#settled(names);
    if ([...present.values()].every(({ StackStatus }) => StackStatus !== 'DELETE_FAILED')) throw failure;
    for (const { StackId, StackName } of [...present.values()].reverse()) {
      const RetainResources = await this.#undeletable(StackId!);
      await this.#cloudFormation.send(new DeleteStackCommand({ StackName, RetainResources }));
      const left = (await this.#settled([StackName!])).get(StackName!);
      if (left !== undefined) throw failure;
    }
  }

  /** Logical ids of resources whose deletion failed last. */
  async #undeletable(stackId: string): Promise<string[]> {
    const latest = new Map<string, string>();
    const client = this.#cloudFormation;
    for await (const { StackEvents = [] } of paginateDescribeStackEvents(
      { client },
      { StackName: stackId },
    )) {
      // The latest event comes first.
      for (const { LogicalResourceId, PhysicalResourceId, ResourceStatus } of StackEvents)
        if (PhysicalResourceId !== stackId && !latest.has(LogicalResourceId!))
          latest.set(LogicalResourceId!, ResourceStatus!);
    }
    return [...latest].filter(([, status]) => status === 'DELETE_FAILED').map(([id]) => id);
  }

  /** Those stacks that exist, once no operation on them is in progress. */
  async #settled(names: readonly string[]): Promise<Map<string, Stack>> {
    const { command, lookAgainMs = LOOK_AGAIN_MS } = this.#options;
    const endsMs = Date.now() + LONGEST_OPERATION_MS;
    for (;;) {
      const stacks = await this.#describe((name) => names.includes(name));
      // A creation can be deleted, and a stack in review has a change set only, which nobody executes.
      const busy = stacks.find(({ StackStatus }) => /(?<!CREATE|REVIEW)_IN_PROGRESS$/.test(StackStatus!));
      if (busy === undefined) return new Map(stacks.map((stack) => [stack.StackName!, stack]));
      if (command.signal.aborted) throw interruption();
      if (Date.now() > endsMs)
        throw new DeploymentFailed(`stack ${busy.StackName} stays in ${busy.StackStatus}`, busy.StackStatus);
      await sleep(lookAgainMs, undefined, { signal: command.signal }).catch(() => undefined);
    }
  }

  async #describe(isMeant: (name: string) => boolean): Promise<Stack[]> {
    const found: Stack[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client: this.#cloudFormation }, {}))
      found.push(...Stacks.filter(({ StackName }) => isMeant(StackName!)));
    // Some implementations also list deleted ones.
    return found.filter(({ StackStatus }) => StackStatus !== 'DELETE_COMPLETE');
  }

  async #withAssembly<Result>(
    stacks: readonly StackTemplate[],
    use: (dir: string) => Promise<Result>,
  ): Promise<Result> {
    const dir = writeAssembly(stacks, { ...this.#options, parentDir: tmpdir() });
    try {
      return await use(dir);
    } finally {
      rmSync(dir, { recursive: true });
    }
  }

  async #assumeDeployRole() {
    const { place, qualifier, clientConfig } = this.#options;
    const sts = new STSClient({ ...clientConfig, region: place.region });
    try {
      const { Credentials } = await sts.send(
        new AssumeRoleCommand({
          RoleArn: roleArn(place, qualifier, 'deploy-role'),
          RoleSessionName: 'latchkey-prove',
        }),
      );
      const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials!;
      return {
        ...{ accessKeyId: AccessKeyId!, secretAccessKey: SecretAccessKey! },
        ...{ sessionToken: SessionToken!, expiration: Expiration! },
      };
    } finally {
      sts.destroy();
    }
  }
}

/** `cdk destroy` needs a template, whatever it is. */
const NOTHING = { Resources: { Nothing: { Type: 'AWS::CloudFormation::WaitConditionHandle' } } };

/** The stacks of an assembly, in the order in which they are written. */
function stackNamesIn(assemblyDir: string): string[] {
  const { artifacts } = JSON.parse(readFileSync(join(assemblyDir, 'manifest.json'), 'utf8')) as {
    artifacts: Record<string, { type: string; properties?: { stackName?: string } }>;
  };
  return Object.entries(artifacts)
    .filter(([, { type }]) => type === 'aws:cloudformation:stack')
    .map(([id, { properties }]) => properties?.stackName ?? id);
}
