import { type Outputs, type Stacks } from '../../probes/system';

/** The stacks of an account, as a run deploys and removes them. */
export interface AccountStacks extends Stacks {
  /**
   * Creates or updates all stacks of a cloud assembly, in the order of their dependencies.
   * @param dir absolute
   * @returns the outputs by stack
   * @throws {DeploymentFailed}
   */
  deployAssembly(dir: string): Promise<Readonly<Record<string, Outputs>>>;
  /** The stacks whose names begin with a prefix, in the order of their creation. */
  list(prefix: string): Promise<readonly ListedStack[]>;
  /** The resources of a stack, as CloudFormation lists them. */
  resources(stackName: string): Promise<readonly StackResource[]>;
}

export interface ListedStack {
  readonly name: string;
  /** CloudFormation's, such as `ROLLBACK_COMPLETE`. */
  readonly status: string;
  /** Why it is in this status, if CloudFormation says so. */
  readonly reason?: string;
  /** Undefined if it is not told. */
  readonly createdAt?: Date;
}

export interface StackResource {
  /** Such as `AWS::KMS::Key`. */
  readonly type: string;
  /** CloudFormation's physical id. */
  readonly id: string;
}
