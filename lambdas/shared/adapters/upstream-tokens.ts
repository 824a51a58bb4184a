import { type TokenSource, TokenUnavailableError } from '../../../client';
import { type TenantKey } from '../../../contract/token-key';
import { UpstreamTokenError } from '../domain/upstream-token-error';
import { type Clock, type UpstreamToken, type UpstreamTokens } from '../ports';

/** The tenant's content token `api/write`, from the same library that other services use. */
export class ClientUpstreamTokens implements UpstreamTokens {
  private readonly source: TokenSource;
  private readonly clock: Clock;

  constructor(source: TokenSource, clock: Clock) {
    this.source = source;
    this.clock = clock;
  }

  async get(tenant: TenantKey, deadlineMs: number, rejected?: UpstreamToken): Promise<UpstreamToken> {
    const key = { ...tenant, interface: 'content', scope: 'api/write' } as const;
    const timeoutMs = Math.max(1, Math.floor(deadlineMs - this.clock.nowMs()));
    try {
      return await this.source.getToken(key, {
        timeoutMs,
        ...(rejected !== undefined && { refused: rejected.accessToken }),
      });
    } catch (error) {
      if (!(error instanceof TokenUnavailableError)) throw error;
      throw new UpstreamTokenError(error.code, error.message, { cause: error });
    }
  }
}
