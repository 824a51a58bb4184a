import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  CloudFormationClient,
  DeleteStackCommand,
  paginateDescribeStacks,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';

import { interruption } from '../cli/command-error';
import { type ClientConfig } from './clients';
import { DeploymentFailed, type ListedStack, type Outputs, type Stacks } from './ports';

/** How many of CDK's last lines are kept for the message of a failure. */
const LAST_LINES = 20;
/** An operation is not waited for any longer. CloudFormation itself has no limit. */
const LONGEST_OPERATION_MS = 60 * 60 * 1000;
const LOOK_AGAIN_MS = 3_000;

interface CdkStacksOptions {
  /** The folder of the package `aws-cdk`. */
  readonly packageDir: string;
  /** Aborted to interrupt it. */
  readonly signal: AbortSignal;
  /** Called for each line that `cdk` prints. */
  readonly onLine: (line: string) => void;
  /** Settings of the caller's SDK clients. */
  readonly clientConfig: ClientConfig;
  /** How long to wait before CloudFormation is asked again. @default 3 s */
  readonly lookAgainMs?: number;
}

/** The stacks of an account, which the command `cdk` deploys. */
export class CdkStacks implements Stacks {
  readonly #options: CdkStacksOptions;
  readonly #cloudFormation: CloudFormationClient;

  constructor(options: CdkStacksOptions) {
    this.#options = options;
    this.#cloudFormation = new CloudFormationClient(options.clientConfig);
  }

  /** Without change sets, of which an interruption would leave one with an empty stack. */
  async deployAssembly(dir: string): Promise<Readonly<Record<string, Outputs>>> {
    const outputDir = mkdtempSync(join(tmpdir(), 'latchkey-outputs-'));
    const outputsFile = join(outputDir, 'outputs.json');
    const { clientConfig, onLine } = this.#options;
    const { profile } = clientConfig;
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
}
