import { type IssuedToken } from '../../../lambdas/shared/domain/token-answer';
import { type TokenError } from '../../../lambdas/shared/domain/token-errors';
import { type Clock, type TokenIssuer, type TokenRequest } from '../../../lambdas/shared/ports';

/** What the issuer does with one request: fail, or issue a token that differs from the usual one. */
type Turn = TokenError | Partial<IssuedToken>;

/** Issues a token of its own for every request, unless a script says otherwise. */
export class ScriptedIssuer implements TokenIssuer {
  readonly requests: (TokenRequest & { atMs: number })[] = [];
  /** One per coming request, taken in order. */
  readonly script: Turn[] = [];
  /** What becomes of requests once the script is used up. */
  always: (request: TokenRequest) => Turn = () => ({});
  /** How long each answer takes, in ms, unless the caller's patience ends earlier. */
  latencyMs = 0;
  /** Most requests that were under way at once. */
  mostAtOnce = 0;
  #underWay = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async requestToken(request: TokenRequest): Promise<IssuedToken> {
    const atMs = this.#clock.nowMs();
    this.requests.push({ ...request, atMs });
    const name = `token-${this.requests.length}`;
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#underWay);
    if (this.latencyMs > 0) await this.#clock.sleep(Math.min(this.latencyMs, request.timeoutMs));
    this.#underWay -= 1;
    const turn = this.script.shift() ?? this.always(request);
    if (turn instanceof Error) throw turn;
    return {
      accessToken: name,
      issuedAtMs: atMs,
      expiresAtMs: atMs + 3_600_000,
      isLifeAssumed: false,
      ...turn,
    };
  }
}
