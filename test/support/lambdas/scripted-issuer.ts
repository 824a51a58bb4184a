import { type IssuedToken } from '../../../core/tokens/token-answer';
import { type TokenError } from '../../../core/tokens/token-errors';
import { type Clock, type TokenIssuer, type TokenRequest } from '../../../lambdas/shared/ports';

/** The result of one request: an error, or changed fields of the issued token. */
type Turn = TokenError | Partial<IssuedToken>;

/** Issues a new token for every request, unless scripted otherwise. */
export class ScriptedIssuer implements TokenIssuer {
  lifeMs = 3_600_000;
  readonly requests: (TokenRequest & { atMs: number })[] = [];
  readonly script: Turn[] = [];
  /** The result of a request once the script is used up. */
  always: (request: TokenRequest) => Turn = () => ({});
  /** Latency of each answer in ms, unless the caller gives up earlier. */
  latencyMs = 0;
  maxAtOnce = 0;
  #underWay = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async requestToken(request: TokenRequest): Promise<IssuedToken> {
    const atMs = this.#clock.nowMs();
    this.requests.push({ ...request, atMs });
    const name = `token-${this.requests.length}`;
    this.maxAtOnce = Math.max(this.maxAtOnce, ++this.#underWay);
    if (this.latencyMs > 0) await this.#clock.sleep(Math.min(this.latencyMs, request.timeoutMs));
    this.#underWay -= 1;
    const turn = this.script.shift() ?? this.always(request);
    if (turn instanceof Error) throw turn;
    return {
      accessToken: name,
      issuedAtMs: atMs,
      expiresAtMs: atMs + this.lifeMs,
      isLifeAssumed: false,
      ...turn,
    };
  }
}
