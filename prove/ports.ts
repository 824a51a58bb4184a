import { type System } from '../cli/system';
import { type Place, type Time } from '../probes/system';
import { type ClientConfig } from './clients';
import { type AccountStacks } from './stacks/account-stacks';

/** What the run of a proof uses: an AWS account, or what stands for it. */
export interface Ports {
  readonly place: Place;
  /** Settings of the caller's SDK clients. The laptop's are other ones whenever time has passed. */
  readonly clientConfig: () => ClientConfig;
  readonly time: Time;
  readonly stacks: AccountStacks;
  readonly synthesize: Synthesize;
  readonly sendRequest: System['sendRequest'];
}

/**
 * Synthesizes stacks of a run, and returns the folder of the cloud assembly.
 * @param part the sandbox alone, or Latchkey with the roles of the run
 */
export type Synthesize = (part: 'sandbox' | 'latchkey', configurationFile: string) => Promise<string>;
