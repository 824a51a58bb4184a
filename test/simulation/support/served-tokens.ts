import { type TokenKey } from '../../../contract/token-key';
import { type SimulatedPlatform } from './simulated-platform';

/** Keeps what callers were given, and judges it by what the platform knows of it. */
export class ServedTokens {
  served = 0;
  /** Life that was left of the token that was served with the least, in ms. */
  leastLifeMs = Infinity;
  /** Tokens that the platform would not have accepted for what they were asked for, and those served again though refused. */
  readonly wrong: string[] = [];
  /** Callers who got none in 20 s, with the last reason. */
  readonly failed: string[] = [];
  /** Calls that were repeated within that time. */
  askedAgain = 0;
  /** Calls of who remembers nothing, while nothing could be read. */
  unreadable = 0;
  /** Calls of who was refused with a token. */
  refusals = 0;
  /** Of these, how many got another one. */
  replaced = 0;
  readonly #platform: SimulatedPlatform;

  constructor(platform: SimulatedPlatform) {
    this.#platform = platform;
  }

  /** Somebody was given a token. */
  add(accessToken: string, key: TokenKey, nowMs: number, refused: string | undefined): void {
    this.served += 1;
    const { expiresAtMs = 0 } = this.#platform.grants.get(accessToken) ?? {};
    this.leastLifeMs = Math.min(this.leastLifeMs, expiresAtMs - nowMs);
    const isAccepted = this.#platform.accepts(accessToken, key);
    if (!isAccepted || accessToken === refused) this.wrong.push(`${accessToken} for ${JSON.stringify(key)}`);
    if (refused !== undefined) this.replaced += 1;
  }
}
