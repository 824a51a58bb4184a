import { type System } from '../cli/system';
import { type Outputs, type Place, type Stacks, type Time } from '../probes/system';
import { type ClientConfig } from './clients';

/** What the run of a proof uses: an AWS account, or what stands for it. */
export interface Ports {
  readonly place: Place;
  /** Settings of the caller's SDK clients. The laptop's are other ones whenever time has passed. */
  readonly clientConfig: () => ClientConfig;
  readonly time: Time;
  readonly stacks: DeployableStacks;
  readonly synthesize: Synthesize;
  readonly sendRequest: System['sendRequest'];
}

export interface DeployableStacks extends Stacks {
  /**
   * Creates or updates all stacks of a cloud assembly.
   * @returns the outputs by stack
   * @throws {DeploymentFailed}
   */
  deployAssembly(dir: string): Promise<Readonly<Record<string, Outputs>>>;
}

/**
 * Synthesizes the stacks of a run, and returns the folder of the cloud assembly.
 * @param what the sandbox, or Latchkey and the roles of the run
 * @param configurationFile of Latchkey
 */
export type Synthesize = (what: 'sandbox' | 'latchkey', configurationFile: string) => Promise<string>;
