import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  DeleteStackCommand,
  paginateDescribeStacks,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';

import { interruption } from '../cli/command-error';
import { DeploymentFailed, type ListedStack, type Outputs, type Place, type Stacks } from './ports';

/** How many of CDK's last lines are kept for the message of a failure. */
const LAST_LINES = 20;
/** An operation is not waited for any longer. CloudFormation itself has no limit. */
const LONGEST_OPERATION_MS = 60 * 60 * 1000;
const LOOK_AGAIN_MS = 3_000;

interface CdkStacksOptions {
  readonly place: Place;
  /** Of the account's CDK bootstrap stack. */
  readonly qualifier: string;
  /** The folder of the package `aws-cdk`. */
  readonly packageDir: string;
  readonly profile: string | undefined;
  /** Aborted to interrupt it. */
  readonly signal: AbortSignal;
  /** Called for each line that `cdk` prints. */
  readonly onLine: (line: string) => void;
  /** Settings of the caller's SDK clients. */
  readonly clientConfig: Pick<
    CloudFormationClientConfig,
    'credentials' | 'endpoint' | 'maxAttempts' | 'profile'
  >;
  /** How long to wait before CloudFormation is asked again. @default 3 s */
  readonly lookAgainMs?: number;
}

/**
 * The stacks of an account, which the command `cdk` deploys. CloudFormation is asked with the role with which CDK deploys, so that
 * the caller needs no other permission for it than `sts:AssumeRole`.
 */
export class CdkStacks implements Stacks {
  readonly #options: CdkStacksOptions;
  readonly #cloudFormation: CloudFormationClient;

  constructor(options: CdkStacksOptions) {
    this.#options = options;
    const credentials = () => this.#assumeDeployRole();
    const { region } = options.place;
    this.#cloudFormation = new CloudFormationClient({ ...options.clientConfig, region, credentials });
  }

  /** Without change sets, of which an interruption would leave one with an empty stack. */
  async deployAssembly(dir: string): Promise<Readonly<Record<string, Outputs>>> {
    const outputDir = mkdtempSync(join(tmpdir(), 'latchkey-outputs-'));
    const outputsFile = join(outputDir, 'outputs.json');
    const { profile, onLine } = this.#options;
    try {
      const lines: string[] = [];
      const exitCode = await this.#cdk(
        [
          ...['deploy', '--all', '--app', dir, '--require-approval', 'never', '--method', 'direct'],
          ...['--outputs-file', outputsFile, '--no-color', '--no-notices'],
          ...(profile === undefined ? [] : ['--profile', profile]),
        ],
        dir,
        (line) => {
          onLine(line);
          if (line.trim() !== '') lines.push(line.trim());
        },
      );
      if (exitCode !== 0) throw new DeploymentFailed(lines.slice(-LAST_LINES).join('\n'));
      return JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Outputs>;
    } finally {
      rmSync(outputDir, { recursive: true });
    }
  }

  async delete(...names: readonly string[]): Promise<void> {
    for (const StackName of [...names].reverse()) {
      if ((await this.#settled(StackName)) === undefined) continue;
      // With the role that CDK gave the stack: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteStack.html
      await this.#cloudFormation.send(new DeleteStackCommand({ StackName }));
      const left = await this.#settled(StackName);
      if (left !== undefined)
        throw new DeploymentFailed(
          `it is in ${left.StackStatus}: ${left.StackStatusReason ?? 'no reason told'}`,
        );
    }
  }

  async list(prefix: string): Promise<readonly ListedStack[]> {
    const stacks = await this.#describe((name) => name.startsWith(prefix));
    return stacks
      .map((stack) => ({
        name: stack.StackName!,
        status: stack.StackStatus!,
        createdAt: stack.CreationTime!,
      }))
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  }

  async resources(StackName: string): Promise<{ type: string; id: string }[]> {
    const found: { type: string; id: string }[] = [];
    const client = this.#cloudFormation;
    await this.#settled(StackName);
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
      for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries)
        if (PhysicalResourceId !== undefined) found.push({ type: ResourceType!, id: PhysicalResourceId });
    return found;
  }

  /**
   * Runs `cdk` in the folder of an assembly, where no configuration of another app applies.
   * @returns its exit code @throws {CommandError} when it was interrupted and has ended
   */
  async #cdk(args: readonly string[], cwd: string, onLine: (line: string) => void): Promise<number | null> {
    const { signal, packageDir } = this.#options;
    if (signal.aborted) throw interruption();
    // CDK ends at once; CloudFormation finishes what it has begun.
    const child = spawn(process.execPath, [join(packageDir, 'bin/cdk'), ...args], {
      cwd,
      env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGINT',
    });
    child.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
    const exitCode = await new Promise<number | null>((resolve) => void child.once('close', resolve));
    if (signal.aborted) throw interruption();
    return exitCode;
  }

  /** A stack, once no operation on it is in progress; undefined if there is none. */
  async #settled(stackName: string): Promise<Stack | undefined> {
    const { signal, lookAgainMs = LOOK_AGAIN_MS } = this.#options;
    const endsMs = Date.now() + LONGEST_OPERATION_MS;
    for (;;) {
      const [stack] = await this.#describe((name) => name === stackName);
      // A stack in review has a change set only, which nobody executes.
      if (!/(?<!REVIEW)_IN_PROGRESS$/.test(stack?.StackStatus ?? '')) return stack;
      if (signal.aborted) throw interruption();
      if (Date.now() > endsMs) throw new DeploymentFailed(`it stays in ${stack!.StackStatus}`);
      await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #describe(isMeant: (name: string) => boolean): Promise<Stack[]> {
    const found: Stack[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client: this.#cloudFormation }, {}))
      found.push(...Stacks.filter(({ StackName }) => isMeant(StackName!)));
    return found;
  }

  async #assumeDeployRole() {
    const { place, qualifier, clientConfig } = this.#options;
    const { partition, accountId, region } = place;
    // https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html
    const name = `cdk-${qualifier}-deploy-role-${accountId}-${region}`;
    const RoleArn = `arn:${partition}:iam::${accountId}:role/${name}`;
    const sts = new STSClient({ ...clientConfig, region });
    const command = new AssumeRoleCommand({ RoleArn, RoleSessionName: 'latchkey-prove' });
    const { Credentials } = await sts.send(command).finally(() => sts.destroy());
    const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials!;
    return {
      accessKeyId: AccessKeyId!,
      secretAccessKey: SecretAccessKey!,
      sessionToken: SessionToken!,
      expiration: Expiration!,
    };
  }
}
