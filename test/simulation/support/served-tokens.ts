import { type TokenKey } from '../../../core/tokens/public-keys';
import { type SimulatedPlatform } from './simulated-platform';

/** Records tokens served to callers, and checks them against the platform's records. */
export class ServedTokens {
  served = 0;
  /** Shortest remaining validity of a served token, in ms. */
  minLifeMs = Infinity;
  /** Tokens that the platform would not accept for the request, and refused tokens that were served again. */
  readonly wrong: string[] = [];
  /** The last error of each caller that got no token within 20 s. */
  readonly failed: string[] = [];
  /** Calls repeated within that time. */
  askedAgain = 0;
  /** Calls of programs without a cache while the secret could not be read. */
  unreadable = 0;
  /** Calls after a refused token. */
  refusals = 0;
  /** How many of these got another token. */
  replaced = 0;
  readonly #platform: SimulatedPlatform;

  constructor(platform: SimulatedPlatform) {
    this.#platform = platform;
  }

  /** Records that a caller got a token. */
  add(accessToken: string, key: TokenKey, nowMs: number, refused: string | undefined): void {
    this.served += 1;
    const { expiresAtMs = 0 } = this.#platform.grants.get(accessToken) ?? {};
    this.minLifeMs = Math.min(this.minLifeMs, expiresAtMs - nowMs);
    const isAccepted = this.#platform.accepts(accessToken, key);
    if (!isAccepted || accessToken === refused) this.wrong.push(`${accessToken} for ${JSON.stringify(key)}`);
    if (refused !== undefined) this.replaced += 1;
  }
}
