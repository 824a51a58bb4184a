import { type TokenSource, TokenUnavailableError } from '../../../client';
import { type TenantKey, tokenKeyOf } from '../../../contract/token-key';
import { UpstreamTokenError } from '../domain/upstream-token-error';
import { type Clock, type UpstreamToken, type UpstreamTokens } from '../ports';

/** The library waits no longer, and refuses to be asked for it. */
const MOST_TIMEOUT_MS = 600_000;

/** The tenant's content token `api/write`, from the same library that other services use. */
export class ClientUpstreamTokens implements UpstreamTokens {
  private readonly source: TokenSource;
  private readonly clock: Clock;

  constructor(source: TokenSource, clock: Clock) {
    this.source = source;
    this.clock = clock;
  }

  async get(tenant: TenantKey, deadlineMs: number, rejected?: UpstreamToken): Promise<UpstreamToken> {
    const key = tokenKeyOf(tenant, { interface: 'content', scope: 'api/write' });
    const leftMs = Math.floor(deadlineMs - this.clock.monotonicMs());
    const timeoutMs = Math.min(Math.max(leftMs, 1), MOST_TIMEOUT_MS);
    try {
      return await this.source.getToken(key, { timeoutMs, refused: rejected?.accessToken });
    } catch (error) {
      if (!(error instanceof TokenUnavailableError)) throw error;
      throw new UpstreamTokenError(error.code, error.message, { cause: error });
    }
  }
}
