import { type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';

import { type System } from '../../../cli/system';

/** What all SDK clients have in common. */
export type ClientConfig = Pick<
  SecretsManagerClientConfig,
  'credentials' | 'endpoint' | 'maxAttempts' | 'profile' | 'systemClockOffset'
> & { readonly region: string };

/** What the command uses of its process. */
export interface Surroundings {
  /** Where CDK's packages are looked for first. */
  readonly workingDir: string;
  /** Of the command: the checkout, or the folder of an installed package. */
  readonly projectRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly interrupted: AbortSignal;
}

/** An AWS account, or what stands for it. */
export interface Ports {
  readonly location: AwsLocation;
  /** Settings of the caller's SDK clients. Call it for each client: the laptop's settings change with its clock. */
  readonly clientConfig: () => ClientConfig;
  readonly time: Time;
  readonly stacks: Stacks;
  /**
   * Synthesizes stacks of a run, and returns the folder of the cloud assembly.
   * @param part the sandbox alone, or Latchkey with what the run itself needs
   */
  readonly synthesize: (part: 'sandbox' | 'latchkey', configurationFile: string) => Promise<string>;
  readonly sendRequest: System['sendRequest'];
}

export interface AwsLocation {
  readonly partition: string;
  readonly region: string;
  readonly accountId: string;
}

/** The account's time. On the laptop it is virtual, and passes at once. */
export interface Time {
  now(): Promise<Date>;
  pass(sec: number): Promise<void>;
  /**
   * Calls `look` until it returns a value, by default every 5 s. Most changes on AWS take effect only after some seconds.
   * @returns that value, or undefined after `withinSec`
   */
  until<Result>(
    look: () => Promise<Result | undefined>,
    options: { readonly withinSec: number; readonly everySec?: number },
  ): Promise<Result | undefined>;
}

/** A stack's outputs by their names. */
export type Outputs = Readonly<Record<string, string>>;

export const KMS_KEY_TYPE = 'AWS::KMS::Key';

export interface Stacks {
  /**
   * Creates or updates all stacks of a cloud assembly, in the order of their dependencies.
   * @param dir absolute
   * @returns the outputs by stack
   * @throws {DeploymentFailed}
   */
  deployAssembly(dir: string): Promise<Readonly<Record<string, Outputs>>>;
  /** Deletes a stack, if it exists. @throws {DeploymentFailed} */
  delete(name: string): Promise<void>;
  /** The stacks whose names begin with a prefix, in the order of their creation. */
  list(prefix: string): Promise<readonly ListedStack[]>;
  /** Ids of the KMS keys of a stack. Waits until no operation on it is in progress, which may create more. */
  keys(stackName: string): Promise<readonly string[]>;
}

export interface ListedStack {
  readonly name: string;
  /** CloudFormation's, such as `ROLLBACK_COMPLETE`. */
  readonly status: string;
  /** Why it has that status, if CloudFormation says so. */
  readonly reason?: string | undefined;
  /** Undefined on the laptop. */
  readonly createdAt?: Date;
}

/** Waits until nothing is in progress on a stack, even if another process began it. @returns undefined if there is no such stack */
export async function whenSettled(
  stacks: Pick<Stacks, 'list'>,
  name: string,
  pause: () => Promise<unknown>,
): Promise<ListedStack | undefined> {
  for (;;) {
    const stack = (await stacks.list(name)).find((listed) => listed.name === name);
    // A stack in review has a change set only, which nobody executes.
    if (!/(?<!REVIEW)_IN_PROGRESS$/.test(stack?.status ?? '')) return stack;
    await pause();
  }
}

/** A stack that CloudFormation refused, rolled back or could not delete. */
export class DeploymentFailed extends Error {
  override readonly name = 'DeploymentFailed';
}

/** @param pass lets seconds pass */
export function timeOf(nowMs: () => number, pass: Time['pass']): Time {
  return {
    now: async () => new Date(nowMs()),
    pass,
    until: async (look, { withinSec, everySec = 5 }) => {
      const endMs = nowMs() + withinSec * 1000;
      for (;;) {
        const value = await look();
        if (value !== undefined || nowMs() >= endMs) return value;
        await pass(everySec);
      }
    },
  };
}
