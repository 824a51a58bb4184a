import { type InvokeCommand, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';

import { type TokenSourceOptions } from '../../../client';
import { type EnsureEvent } from '../../../contract/token-refresh';
import { type VirtualWorld } from './virtual-world';
import { type Version } from './world';

/** A wait this long is a caller's patience, which is called off in time: none of it is to pass. */
const PATIENCE_MS = 25_000;

/** What callers' processes have of AWS in a virtual world: its token secret and its function. */
export class VirtualAws {
  /** Reads of the token secret, answered or not. */
  reads = 0;
  /** What each read fails with, if anything. */
  readFault: () => Error | undefined = () => undefined;
  /** The version that is shown. */
  shown: () => Version | undefined = () => this.#current();
  /** Invocations that may be under way at once. */
  reservedConcurrency = Infinity;
  #underWay = 0;
  readonly #world: VirtualWorld;

  constructor(world: VirtualWorld) {
    this.#world = world;
  }

  /** A caller's process with `tokenRefresh` beside these may also ask for renewals. */
  options(): TokenSourceOptions {
    const { clock } = this.#world;
    return {
      clock: {
        nowMs: () => clock.nowMs(),
        monotonicMs: () => clock.monotonicMs(),
        sleep: (ms) => (ms < PATIENCE_MS ? clock.sleep(ms) : new Promise<void>(() => undefined)),
      },
      secretsManager: { send: () => this.#read() },
      lambda: { send: (command: InvokeCommand) => this.#invoke(command) },
    };
  }

  async #read() {
    this.reads += 1;
    const fault = this.readFault();
    if (fault !== undefined) throw fault;
    const version = this.shown();
    if (version === undefined) throw new ResourceNotFoundException({ message: 'none', $metadata: {} });
    return { VersionId: version.versionId, SecretString: version.secretString };
  }

  async #invoke({ input }: InvokeCommand) {
    if (this.#underWay >= this.reservedConcurrency) {
      throw new TooManyRequestsException({ message: 'Rate Exceeded.', $metadata: {} });
    }
    this.#underWay += 1;
    try {
      const event = JSON.parse(Buffer.from(input.Payload as Uint8Array).toString()) as EnsureEvent;
      // With one at a time Lambda keeps to one warm process, else each invocation may meet a new one.
      if (this.reservedConcurrency !== 1) this.#world.startNewProcess();
      const { answer } = await this.#world.invoke('ensure', undefined, event);
      return { Payload: Buffer.from(JSON.stringify(answer)) };
    } finally {
      this.#underWay -= 1;
    }
  }

  #current(): Version | undefined {
    return this.#world.versions().find(({ stages }) => stages.includes('AWSCURRENT'));
  }
}
