import { InvokeCommand, type LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';

import { type EnsureAnswer, type EnsureEvent } from '../../../contract/token-refresh';
import { type TenantKey, type TokenKey } from '../../../contract/token-key';
import { sha256Hex } from '../domain/digest';
import { StoreError } from '../domain/store-error';
import { type StoredToken } from '../domain/stored-token';
import { UpstreamTokenError } from '../domain/upstream-token-error';
import { type Clock, type Random, type TokenReader, type UpstreamToken, type UpstreamTokens } from '../ports';

/** A token with less than this left is not begun with. */
const MIN_LIFE_MS = 60_000;
/** How long a throttled caller looks for the token that another caller's invocation brings. */
const THROTTLED_FOR_MS = 20_000;
const BACKOFF_CAP_MS = 2_000;

/**
 * Tokens out of Secrets Manager, with token-refresh asked where the stored one does not serve.
 * The token is remembered by the warm process while it lives.
 */
export class RefreshedUpstreamTokens implements UpstreamTokens {
  private readonly tokens: TokenReader;
  private readonly lambda: LambdaClient;
  private readonly tokenRefreshArn: string;
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly remembered = new Map<string, StoredToken>();

  constructor(options: {
    tokens: TokenReader;
    lambda: LambdaClient;
    tokenRefreshArn: string;
    clock: Clock;
    random: Random;
  }) {
    this.tokens = options.tokens;
    this.lambda = options.lambda;
    this.tokenRefreshArn = options.tokenRefreshArn;
    this.clock = options.clock;
    this.random = options.random;
  }

  async get(tenant: TenantKey, deadlineMs: number, rejected?: UpstreamToken): Promise<UpstreamToken> {
    const key: TokenKey = { ...tenant, interface: 'content', scope: 'api/write' };
    const remembered = this.remembered.get(tenant.tenantId);
    if (this.serves(remembered, rejected)) return remembered;
    const stored = await this.read(key);
    if (this.serves(stored, rejected)) return stored;
    return this.ensured(key, deadlineMs, rejected);
  }

  private serves(token: StoredToken | undefined, rejected: UpstreamToken | undefined): token is StoredToken {
    return (
      token !== undefined &&
      token.accessToken !== rejected?.accessToken &&
      token.expiresAtMs - this.clock.nowMs() >= MIN_LIFE_MS
    );
  }

  /** Asks token-refresh; where it is busy for another caller, what that caller gets serves us too. */
  private async ensured(key: TokenKey, deadlineMs: number, rejected?: UpstreamToken): Promise<UpstreamToken> {
    const endsAtMs = Math.min(deadlineMs, this.clock.nowMs() + THROTTLED_FOR_MS);
    for (let attempt = 1; ; attempt += 1) {
      const isThrottled = await this.askForRefresh(key, endsAtMs, rejected);
      const stored = await this.read(key);
      if (this.serves(stored, rejected)) return stored;
      const waitMs = this.random() * Math.min(BACKOFF_CAP_MS, 100 * 2 ** attempt);
      if (!isThrottled || this.clock.nowMs() + waitMs >= endsAtMs) {
        const reason = isThrottled ? 'token-refresh stays busy' : 'what token-refresh stored does not serve';
        throw new UpstreamTokenError('no_usable_token', reason);
      }
      await this.clock.sleep(waitMs);
    }
  }

  /** Whether the function was throttled. @throws {UpstreamTokenError} with the code that token-refresh gave */
  private async askForRefresh(key: TokenKey, endsAtMs: number, rejected?: UpstreamToken): Promise<boolean> {
    const event: EnsureEvent = {
      action: 'ensure',
      tenantId: key.tenantId,
      interface: 'content',
      scope: 'api/write',
      minValiditySec: MIN_LIFE_MS / 1000,
      ...(rejected !== undefined && { rejectedTokenSha256: sha256Hex(rejected.accessToken) }),
    };
    let answer: EnsureAnswer;
    try {
      const { Payload, FunctionError } = await this.lambda.send(
        new InvokeCommand({
          FunctionName: this.tokenRefreshArn,
          Payload: Buffer.from(JSON.stringify(event)),
        }),
        // Else a slow invocation would outlast this function, whose end API Gateway could only call unknown.
        { abortSignal: AbortSignal.timeout(Math.max(1, Math.ceil(endsAtMs - this.clock.nowMs()))) },
      );
      if (FunctionError !== undefined) throw new UpstreamTokenError('function_error', 'token-refresh failed');
      answer = JSON.parse(Buffer.from(Payload ?? []).toString('utf8')) as EnsureAnswer;
    } catch (error) {
      if (error instanceof TooManyRequestsException) return true;
      if (error instanceof UpstreamTokenError) throw error;
      // A connection that fails is no exception of the service; whatever it is, nothing was sent to the platform.
      const name = error instanceof Error ? error.name : 'no error';
      const message = `lambda:InvokeFunction on ${this.tokenRefreshArn} failed: ${name}`;
      throw new UpstreamTokenError('invoke_failed', message, { cause: error });
    }
    if (!answer.ok) throw new UpstreamTokenError(answer.error.code, answer.error.message);
    return false;
  }

  private async read(key: TokenKey): Promise<StoredToken | undefined> {
    try {
      const token = (await this.tokens.read(key, 'AWSCURRENT'))?.token;
      if (token !== undefined) this.remembered.set(key.tenantId, token);
      return token;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      throw new UpstreamTokenError(error.code, error.message, { cause: error });
    }
  }
}
