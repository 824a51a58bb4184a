import { setImmediate } from 'node:timers/promises';
import { type Account } from './account';
import { AwsError } from './aws/aws-error';
import { type FunctionInvoker } from './interfaces';
import { readAssembly, type AssemblyStack, type CloudAssembly } from './template/assembly';
import { creationOrder } from './template/creation-order';
import {
  deleteStack,
  deployStack,
  provisionStack,
  type ProvisionedStack,
  type ProvisionOptions,
  type StackSteps,
} from './template/provision';
import { type Omission } from './template/left-out';
import { TemplateError } from './template/template';

interface StacksOptions {
  readonly account: Account;
  readonly provisioning: () => Omit<ProvisionOptions, 'account' | 'omission'>;
  readonly invoker: Pick<FunctionInvoker, 'remove'>;
  /** Called after each change, so that schedules and alarms take part in the account as it is now. */
  readonly onChange: () => void;
  /** Awaited after an operation, until the work that its changes started has ended. */
  readonly settle: () => Promise<void>;
}

/** CloudFormation's status of a stack, and the reason for a failed one. */
interface StackStatus {
  readonly status: string;
  readonly reason?: string;
}

interface KeptStack extends StackStatus {
  readonly stack: ProvisionedStack;
}

/** A stack as `list` shows it. */
export interface ListedStack extends StackStatus {
  readonly name: string;
}

/** The statuses after a failed creation: the stack can only be deleted, as CDK does before it creates it again. */
const NEVER_CREATED = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED'];
/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html (statuses) */
const STUCK = ['UPDATE_ROLLBACK_FAILED', 'DELETE_FAILED'];

/** The account's stacks: created at the start of a run, and created, updated and deleted during it. */
export class Stacks {
  readonly #options: StacksOptions;
  readonly #stacks = new Map<string, KeptStack>();
  /** The stacks that may not be deleted. */
  readonly #protected = new Set<string>();

  constructor(options: StacksOptions) {
    this.#options = options;
  }

  /**
   * Creates all stacks of an assembly at once.
   * @param omission see {@link ProvisionOptions.omission}
   * @throws {TemplateError}
   */
  create(assembly: CloudAssembly, omission?: Omission): ProvisionedStack[] {
    const options = { ...this.#provisionOptions(), ...(omission && { omission }) };
    return assembly.stacks.map((each) => {
      const stack = provisionStack(each, options);
      this.#stacks.set(each.name, { stack, status: 'CREATE_COMPLETE' });
      this.#setProtection(each);
      return stack;
    });
  }

  /** The stacks of an assembly directory, in the order of their dependencies. @throws {AwsError} ValidationError */
  read(assemblyDir: string): AssemblyStack[] {
    const { accountId, region } = this.#options.account;
    const assembly = asValidation(() => readAssembly(assemblyDir));
    if (assembly.accountId === accountId && assembly.region === region) return assembly.stacks;
    const found = `${assembly.accountId}/${assembly.region}`;
    throw validationFailure(`the assembly is for ${found}; this account is ${accountId}/${region}`);
  }

  /**
   * Creates or updates stacks, one after another.
   * @returns the outputs by stack
   * @throws {AwsError} ValidationError if the stack or template permits no operation; DeploymentFailed with `stack`, `status`
   * and `reason` if the operation was rolled back
   */
  async deploy(stacks: readonly AssemblyStack[]): Promise<Record<string, Readonly<Record<string, string>>>> {
    const outputs: Record<string, Readonly<Record<string, string>>> = {};
    for (const stack of stacks) outputs[stack.name] = await this.#deployOne(stack);
    return outputs;
  }

  /** Deletes stacks, the last one first. Those that do not exist are skipped. @throws {AwsError} as `deploy` does */
  async delete(names: readonly string[]): Promise<void> {
    for (const name of [...names].reverse()) await this.#deleteOne(name);
  }

  /** The stacks whose names begin with a prefix. */
  list(prefix: string): ListedStack[] {
    return [...this.#stacks]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, { status, reason }]) => ({ name, status, ...(reason !== undefined && { reason }) }));
  }

  /** The resources of a stack with their physical ids, as `Ref` gives them; empty if the stack does not exist. */
  resources(name: string): { type: string; id: string }[] {
    const resources = this.#stacks.get(name)?.stack.resources ?? new Map<string, never>();
    return [...resources.values()].map(({ type, ref }) => ({ type, id: ref }));
  }

  async #deployOne(assemblyStack: AssemblyStack): Promise<Readonly<Record<string, string>>> {
    const { name, template } = assemblyStack;
    // Circular and missing dependencies are errors before anything changes.
    asValidation(() => creationOrder(template, name));
    if (NEVER_CREATED.includes(this.#stacks.get(name)?.status ?? '')) await this.#deleteOne(name);
    const kept = this.#stacks.get(name);
    if (kept !== undefined && STUCK.includes(kept.status)) throw wrongState(kept, name, 'updated');
    const [verb, failed] = kept
      ? (['UPDATE', 'UPDATE_ROLLBACK'] as const)
      : (['CREATE', 'ROLLBACK'] as const);
    const previous = kept?.stack ?? { name, resources: new Map(), outputs: {} };
    this.#setProtection(assemblyStack);
    return this.#operate(previous, `${verb}_IN_PROGRESS`, async () => {
      try {
        const stack = await this.#run(deployStack(assemblyStack, this.#provisionOptions(), kept?.stack));
        this.#stacks.set(name, { stack, status: `${verb}_COMPLETE` });
        return stack.outputs;
      } catch (error) {
        const isRolledBack = !(error instanceof TemplateError && error.code === 'rollback_failed');
        throw this.#recordFailure(previous, `${failed}_${isRolledBack ? 'COMPLETE' : 'FAILED'}`, error);
      }
    });
  }

  async #deleteOne(name: string): Promise<void> {
    const kept = this.#stacks.get(name);
    if (kept === undefined) return;
    // @see https://github.com/aws/aws-cdk/issues/1682 (the message)
    if (this.#protected.has(name) && !NEVER_CREATED.includes(kept.status))
      throw validationFailure(`Stack [${name}] cannot be deleted while TerminationProtection is enabled`, {
        stack: name,
      });
    await this.#operate(kept.stack, 'DELETE_IN_PROGRESS', async () => {
      try {
        await this.#run(deleteStack(kept.stack, this.#provisionOptions()));
        this.#stacks.delete(name);
      } catch (error) {
        throw this.#recordFailure(kept.stack, 'DELETE_FAILED', error);
      }
    });
  }

  /** Turns termination protection on or off, as CDK does before each deployment. */
  #setProtection({ name, isTerminationProtected = false }: AssemblyStack): void {
    if (isTerminationProtected) this.#protected.add(name);
    else this.#protected.delete(name);
  }

  /** Runs one operation on a stack. @throws {AwsError} ValidationError during another operation on it */
  async #operate<Result>(
    stack: ProvisionedStack,
    status: string,
    operation: () => Promise<Result>,
  ): Promise<Result> {
    const { name } = stack;
    const kept = this.#stacks.get(name);
    if (kept?.status.endsWith('_IN_PROGRESS')) throw wrongState(kept, name, 'changed');
    const { account, invoker, settle } = this.#options;
    const functionsBefore = [...account.functions.keys()];
    this.#stacks.set(name, { stack, status });
    try {
      return await operation();
    } finally {
      const gone = functionsBefore.filter((arn) => !account.functions.has(arn));
      await Promise.all(gone.map((arn) => invoker.remove(arn)));
      await settle();
    }
  }

  /** Takes all steps of an operation. Other requests are answered between them, as on AWS. */
  async #run<Result>(steps: StackSteps<Result>): Promise<Result> {
    try {
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
        this.#options.onChange();
        await setImmediate();
      }
    } finally {
      this.#options.onChange();
    }
  }

  /** Records the status of a failed operation. @returns the error to throw */
  #recordFailure(stack: ProvisionedStack, status: string, error: unknown): AwsError {
    // Any other error is a bug here, whose message might hold a secret.
    const reason =
      error instanceof TemplateError ? error.message : `internal error: ${(error as Error).name}`;
    const { name } = stack;
    this.#stacks.set(name, { stack, status, reason });
    const fields = { stack: name, status, reason };
    return new AwsError('DeploymentFailed', `stack ${name} is in ${status}: ${reason}`, {
      fields,
      cause: error,
    });
  }

  #provisionOptions(): ProvisionOptions {
    return { account: this.#options.account, ...this.#options.provisioning() };
  }
}

function wrongState({ status }: StackStatus, name: string, done: 'updated' | 'changed'): AwsError {
  return validationFailure(`Stack:${name} is in ${status} state and can not be ${done}.`, {
    stack: name,
    status,
  });
}

function asValidation<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof TemplateError) throw validationFailure(error.message);
    throw error;
  }
}

function validationFailure(message: string, fields: Record<string, unknown> = {}): AwsError {
  return new AwsError('ValidationError', message, { fields });
}
