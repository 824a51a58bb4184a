import { type TokenKey } from '../../../core/tokens/public-keys';
import { MINUTE_MS } from '../../support/lambdas/token-functions';
import { ServedTokens } from './served-tokens';
import { type SimulatedWorld } from './simulated-world';
import { type InvokeEnsure, libraryUser, plainReader, type TokenCaller } from './token-callers';

/** Mean time between a service's requests; each needs every token of its tenant. */
const BETWEEN_REQUESTS_MS = MINUTE_MS;
/** Once in this many requests a service pauses for longer than a token is valid. */
const REQUESTS_TO_REST = 500;
const REST_MIN = { least: 61, most: 180 };
/** Mean time between reads of programs that read one of a tenant's tokens. */
const BETWEEN_READS_MS = 8 * MINUTE_MS;
const BETWEEN_HOSTILE_REFUSALS_MS = 5 * MINUTE_MS;
/** Callers without a token retry for this long, as repeated requests of people do. */
const RETRY_FOR_MS = 20_000;
const ASKS_AGAIN_AFTER_MS = 2_000;

/** All callers, until the simulation ends. */
export class SimulatedCallers {
  readonly served: ServedTokens;
  readonly #world: SimulatedWorld;
  readonly #invokeEnsure: InvokeEnsure;

  constructor(world: SimulatedWorld, invokeEnsure: InvokeEnsure) {
    this.#world = world;
    this.#invokeEnsure = invokeEnsure;
    this.served = new ServedTokens(world.platform);
  }

  /** Runs all callers. The last token is also reported as refused, if the simulation has refusals. */
  async call(): Promise<void> {
    const { deployment, keys, outside, simulation } = this.#world;
    const misused = keys.at(-1)!;
    await Promise.all([
      ...deployment.tenants.map(({ tenantId }) => {
        const own = keys.filter((key) => key.tenantId === tenantId);
        return Promise.all([
          this.#serve(own, misused, libraryUser(outside, this.#invokeEnsure)),
          this.#runPrograms(own, plainReader(outside, this.#invokeEnsure)),
        ]);
      }),
      simulation.betweenRefusalsMs > 0 &&
        this.#refuseAlways(misused, plainReader(outside, this.#invokeEnsure)),
    ]);
  }

  /**
   * A service that needs its tokens continuously, apart from its pauses. After a refusal it has none until
   * it gets another.
   */
  async #serve(keys: readonly TokenKey[], misused: TokenKey, getToken: TokenCaller): Promise<void> {
    const { random, simulation } = this.#world;
    const refusedOf = new Map<TokenKey, string>();
    const { betweenRefusalsMs } = simulation;
    const refusals = betweenRefusalsMs === 0 ? 0 : BETWEEN_REQUESTS_MS / betweenRefusalsMs;
    do {
      for (const key of keys) {
        const refused = refusedOf.get(key);
        const token = await this.#get(key, getToken, refused);
        if (token !== undefined) refusedOf.delete(key);
        if (token !== undefined && key !== misused && random.chance(refusals)) refusedOf.set(key, token);
      }
    } while (await this.#pause());
  }

  /**
   * Waits until the next request. After a long pause the service's cache has expired, so it resumes only if
   * the secret can be read.
   */
  async #pause(): Promise<boolean> {
    const { clock, disturbances, random } = this.#world;
    if (!random.chance(1 / REQUESTS_TO_REST)) {
      return this.#world.wait(random.between(0.5, 1.5) * BETWEEN_REQUESTS_MS);
    }
    if (!(await this.#world.wait(random.between(REST_MIN.least, REST_MIN.most) * MINUTE_MS))) return false;
    const outage = disturbances.outageOf('Secrets Manager');
    return outage === undefined || this.#world.wait(outage.untilMs - clock.nowMs());
  }

  /** A program that reads a secret now and then. */
  async #runPrograms(keys: readonly TokenKey[], getToken: TokenCaller): Promise<void> {
    const { disturbances, random } = this.#world;
    while (await this.#world.wait(random.untilNext(BETWEEN_READS_MS))) {
      // Without a cache it cannot get a token while the secret is unreadable.
      const isOut = disturbances.outageOf('Secrets Manager') !== undefined;
      if (isOut) this.served.unreadable += 1;
      else await this.#get(random.pick(keys), getToken);
    }
  }

  /** Somebody reports every token as refused. */
  async #refuseAlways(key: TokenKey, getToken: TokenCaller): Promise<void> {
    const { random } = this.#world;
    let refused: string | undefined;
    while (await this.#world.wait(random.untilNext(BETWEEN_HOSTILE_REFUSALS_MS))) {
      refused = (await this.#get(key, getToken, refused)) ?? refused;
    }
  }

  /**
   * Gets a token. Callers that were refused may have to wait for another; all others must get one before
   * they give up.
   */
  async #get(key: TokenKey, getToken: TokenCaller, refused?: string): Promise<string | undefined> {
    const { clock } = this.#world;
    if (refused !== undefined) this.served.refusals += 1;
    const untilMs = clock.nowMs() + RETRY_FOR_MS;
    for (;;) {
      try {
        const token = await getToken(key, refused);
        this.served.add(token, key, clock.nowMs(), refused);
        return token;
      } catch (error) {
        if (refused !== undefined) return undefined;
        if (clock.nowMs() + ASKS_AGAIN_AFTER_MS >= untilMs) {
          this.served.failed.push(`${new Date(clock.nowMs()).toISOString()} ${String(error)}`);
          return undefined;
        }
        this.served.askedAgain += 1;
        await clock.sleep(ASKS_AGAIN_AFTER_MS);
      }
    }
  }
}
