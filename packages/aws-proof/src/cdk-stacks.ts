import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  CloudFormationClient,
  DeleteStackCommand,
  paginateDescribeStacks,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';

import { interruption } from '../../../cli/command-error';
import { type ClientConfig } from './ports';
import { DeploymentFailed, type ListedStack, type Outputs, type Stacks, whenSettled } from './ports';

/** How many of CDK's last lines are kept for the message of a failure. */
const LAST_LINES = 20;
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
  readonly #client: CloudFormationClient;

  constructor(options: CdkStacksOptions) {
    this.#options = options;
    this.#client = new CloudFormationClient(options.clientConfig);
  }

  /** Without change sets, of which an interruption would leave one with an empty stack. */
  async deployAssembly(dir: string): Promise<Readonly<Record<string, Outputs>>> {
    const { clientConfig, onLine, packageDir, signal } = this.#options;
    const { profile } = clientConfig;
    if (signal.aborted) throw interruption();
    const outputsFile = join(dir, 'outputs.json');
    const args = [
      ...['deploy', '--all', '--app', dir, '--require-approval', 'never', '--method', 'direct'],
      ...['--outputs-file', outputsFile, '--no-color', '--no-notices'],
      ...(profile === undefined ? [] : ['--profile', profile]),
    ];
    // No configuration of another app applies in that folder. CDK ends at once; CloudFormation finishes what it has begun.
    const child = spawn(process.execPath, [join(packageDir, 'bin/cdk'), ...args], {
      cwd: dir,
      env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGINT',
    });
    child.on('error', () => undefined);
    const lines: string[] = [];
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        onLine(line);
        if (line.trim() !== '') lines.push(line.trim());
      });
    const exitCode = await new Promise<number | null>((resolve) => void child.once('close', resolve));
    if (signal.aborted) throw interruption();
    if (exitCode !== 0) throw new DeploymentFailed(lines.slice(-LAST_LINES).join('\n'));
    return JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Outputs>;
  }

  async delete(StackName: string): Promise<void> {
    if ((await this.#whenSettled(StackName)) === undefined) return;
    // With the role that CDK gave the stack: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteStack.html
    await this.#client.send(new DeleteStackCommand({ StackName }));
    const left = await this.#whenSettled(StackName);
    if (left !== undefined)
      throw new DeploymentFailed(`it is in ${left.status}: ${left.reason ?? 'no reason told'}`);
  }

  async list(prefix: string): Promise<readonly ListedStack[]> {
    const found: (ListedStack & { createdAt: Date })[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client: this.#client }, {}))
      for (const { StackName, StackStatus, StackStatusReason: reason, CreationTime } of Stacks)
        if (StackName!.startsWith(prefix))
          found.push({ name: StackName!, status: StackStatus!, reason, createdAt: CreationTime! });
    return found.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  }

  async resources(StackName: string): Promise<{ type: string; id: string }[]> {
    const found: { type: string; id: string }[] = [];
    const client = this.#client;
    await this.#whenSettled(StackName);
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
      for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries)
        if (PhysicalResourceId !== undefined) found.push({ type: ResourceType!, id: PhysicalResourceId });
    return found;
  }

  #whenSettled(name: string): Promise<ListedStack | undefined> {
    const { signal, lookAgainMs = LOOK_AGAIN_MS } = this.#options;
    return whenSettled(this, name, async () => {
      await sleep(lookAgainMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw interruption();
    });
  }
}
