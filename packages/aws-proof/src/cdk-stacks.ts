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
import {
  type ClientConfig,
  DeploymentFailed,
  KMS_KEY_TYPE,
  type ListedStack,
  type Outputs,
  type Stacks,
  whenSettled,
} from './ports';

/** How many of CDK's last output lines the message of a failure has. */
const MAX_MESSAGE_LINES = 20;
const DEFAULT_POLL_INTERVAL_MS = 3_000;

interface CdkStacksOptions {
  /** The folder of the package `aws-cdk`. */
  readonly packageDir: string;
  /** Interrupts a deployment, and the wait for a stack. */
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  readonly clientConfig: ClientConfig;
  /** @default 3 s */
  readonly pollIntervalMs?: number;
}

/** The stacks of an account. The command `cdk` deploys them; CloudFormation's API lists and deletes them. */
export function cdkStacks(options: CdkStacksOptions): Stacks {
  const { clientConfig, signal, pollIntervalMs = DEFAULT_POLL_INTERVAL_MS } = options;
  const client = new CloudFormationClient(clientConfig);
  const list: Stacks['list'] = async (prefix) => {
    const stacks: (ListedStack & { createdAt: Date })[] = [];
    for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
      for (const { StackName, StackStatus, StackStatusReason: reason, CreationTime } of Stacks)
        if (StackName!.startsWith(prefix))
          stacks.push({ name: StackName!, status: StackStatus!, reason, createdAt: CreationTime! });
    return stacks.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  };
  const waitUntilSettled = (name: string) =>
    whenSettled({ list }, name, async () => {
      await sleep(pollIntervalMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw interruption();
    });
  return {
    list,
    deployAssembly: async (dir) => {
      const outputsFile = join(dir, 'outputs.json');
      await runCdkDeploy(dir, outputsFile, options);
      return JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Outputs>;
    },
    delete: async (StackName) => {
      if ((await waitUntilSettled(StackName)) === undefined) return;
      // CloudFormation uses the role that CDK gave the stack: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteStack.html
      await client.send(new DeleteStackCommand({ StackName }));
      const remaining = await waitUntilSettled(StackName);
      if (remaining !== undefined)
        throw new DeploymentFailed(`it is in ${remaining.status}: ${remaining.reason ?? 'no reason given'}`);
    },
    keys: async (StackName) => {
      const keyIds: string[] = [];
      // An operation in progress may still create keys.
      await waitUntilSettled(StackName);
      for await (const { StackResourceSummaries = [] } of paginateListStackResources(
        { client },
        { StackName },
      ))
        for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries)
          if (ResourceType === KMS_KEY_TYPE && PhysicalResourceId !== undefined)
            keyIds.push(PhysicalResourceId);
      return keyIds;
    },
  };
}

/** Deploys all stacks of an assembly. An abort ends CDK at once; CloudFormation finishes what it has begun. */
async function runCdkDeploy(
  dir: string,
  outputsFile: string,
  { clientConfig, onLine, packageDir, signal }: CdkStacksOptions,
): Promise<void> {
  if (signal.aborted) throw interruption();
  const args = [
    ...['deploy', '--all', '--app', dir, '--require-approval', 'never'],
    // An interrupted deployment with a change set would leave an empty stack.
    ...['--method', 'direct'],
    ...['--outputs-file', outputsFile, '--no-color', '--no-notices'],
    ...(clientConfig.profile === undefined ? [] : ['--profile', clientConfig.profile]),
  ];
  const child = spawn(process.execPath, [join(packageDir, 'bin/cdk'), ...args], {
    // The working directory of the command may have a `cdk.json` of another app.
    cwd: dir,
    env: { ...process.env, CDK_DISABLE_CLI_TELEMETRY: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGINT',
  });
  // Emitted on an abort, which is checked below.
  child.on('error', () => undefined);
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      onLine(line);
      if (line.trim() !== '') lines.push(line.trim());
    });
  const exitCode = await new Promise<number | null>((resolve) => void child.once('close', resolve));
  if (signal.aborted) throw interruption();
  if (exitCode !== 0) throw new DeploymentFailed(lines.slice(-MAX_MESSAGE_LINES).join('\n'));
}
