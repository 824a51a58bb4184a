import { inspect } from 'node:util';

import { type WireWorld } from './wire-world';
import {
  type AccessToken,
  createTokenSource,
  type TokenSource,
  type TokenSourceOptions,
} from '../../../client';
import { findCanaries } from '../../support/canaries';

/** A service's process with the client library, with everything that it shows. */
export class CallerProcess {
  readonly source: TokenSource;
  readonly #world: WireWorld;
  readonly #shown: string[] = [];

  constructor(world: WireWorld, options: TokenSourceOptions) {
    this.#world = world;
    this.source = createTokenSource({
      ...options,
      onEvent: (event) => this.#shown.push(JSON.stringify(event)),
    });
  }

  /** The token or the error from the library. Printing either shows no secret. */
  async ask(): Promise<AccessToken | Error> {
    const answer = await this.source.getToken(this.#world.key).catch((error: Error) => error);
    this.#shown.push(inspect(answer, { depth: 8 }), JSON.stringify(answer));
    return answer;
  }

  /** Asserts that the process has shown no secret. */
  expectNothingSpilled(): void {
    const texts = this.#shown.map((text) => ({ place: 'a caller', text }));
    expect(findCanaries(this.#world.platform.canaries, texts)).toEqual([]);
  }
}
