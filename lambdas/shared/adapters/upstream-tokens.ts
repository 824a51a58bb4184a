import { type TokenSource, TokenUnavailableError } from '../../../client';
import { type TenantKey, tokenKeyOf } from '../../../core/tokens/token-key';
import { UpstreamTokenError } from '../../../core/tokens/upstream-token-error';
import { type TokenKey } from '../../../core/tokens/published-keys';
import { type Clock, type UpstreamToken, type UpstreamTokens } from '../ports';

/** Maximum timeout that the library accepts. */
const MAX_TIMEOUT_MS = 600_000;

/** Gets the tenant's content token `api/write` with the client library. */
export class ClientUpstreamTokens implements UpstreamTokens {
  private readonly source: TokenSource;
  private readonly clock: Clock;

  constructor(source: TokenSource, clock: Clock) {
    this.source = source;
    this.clock = clock;
  }

  async get(tenant: TenantKey, deadlineMs: number, rejected?: UpstreamToken): Promise<UpstreamToken> {
    const key = tokenKeyOf(tenant, { interface: 'content', scope: 'api/write' }) as TokenKey;
    const leftMs = Math.floor(deadlineMs - this.clock.monotonicMs());
    const timeoutMs = Math.min(Math.max(leftMs, 1), MAX_TIMEOUT_MS);
    try {
      return await this.source.getToken(key, { timeoutMs, refused: rejected?.accessToken });
    } catch (error) {
      if (!(error instanceof TokenUnavailableError)) throw error;
      throw new UpstreamTokenError(error.code, error.message, { cause: error });
    }
  }
}
