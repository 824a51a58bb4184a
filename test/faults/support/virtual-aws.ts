import { type InvokeCommand, TooManyRequestsException } from '@aws-sdk/client-lambda';
import { ResourceNotFoundException } from '@aws-sdk/client-secrets-manager';

import { type TokenSourceOptions } from '../../../client';
import { type EnsureEvent } from '../../../core/tokens/token-refresh';
import { type VirtualWorld } from './virtual-world';
import { type Version } from './world';

/** Timers at least this long are callers' timeouts, which are canceled and must not advance the time. */
const CALLER_TIMEOUT_MS = 25_000;

/** AWS as callers see it in a virtual world: the token secret and the function. */
export class VirtualAws {
  /** Reads of the token secret, including failed ones. */
  reads = 0;
  /** The error of each read, if any. */
  readFault: () => Error | undefined = () => undefined;
  /** The version that readers get. */
  shown: () => Version | undefined = () => this.#current();
  /** Maximum parallel invocations. */
  reservedConcurrency = Infinity;
  #underWay = 0;
  readonly #world: VirtualWorld;

  constructor(world: VirtualWorld) {
    this.#world = world;
  }

  /** Options of a caller's token source. To request renewals, add `tokenRefresh`. */
  options(): TokenSourceOptions {
    const { clock } = this.#world;
    return {
      clock: {
        nowMs: () => clock.nowMs(),
        monotonicMs: () => clock.monotonicMs(),
        sleep: (ms) => (ms < CALLER_TIMEOUT_MS ? clock.sleep(ms) : new Promise<void>(() => undefined)),
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
      // With a concurrency of 1, Lambda reuses one warm process; otherwise each invocation may get a new one.
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
