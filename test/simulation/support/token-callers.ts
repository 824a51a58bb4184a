import { type InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

import { createTokenSource } from '../../../client';
import { type TokenType } from '../../../core/deployment/platform';
import { type TokenKey } from '../../../core/tokens/public-keys';
import { type EnsureAnswer, type EnsureEvent } from '../../../core/tokens/token-refresh';
import { SecretsManagerTokenReader } from '../../../lambdas/shared/adapters/secrets-manager-token-reader';
import { sha256Hex } from '../../../core/secrets/sha256';
import { clientOf, serviceException } from '../../support/aws/simulated-secrets-manager';
import { type Outside } from './token-process';

/**
 * Gets a token.
 * @param refused a token that the platform refused
 * @throws {Error} if no token is available
 */
export type TokenCaller = (key: TokenKey, refused?: string) => Promise<string>;

/** Invokes token-refresh; undefined if it is busy with another call. */
export type InvokeEnsure = (event: EnsureEvent) => Promise<EnsureAnswer | undefined>;

const LEAST_LIFE_MS = 60_000;
const PATIENCE_MS = 20_000;
const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 2_000;

/**
 * A program without a cache, in any language: it reads the secret each time, asks for another token if the
 * stored one has less than a minute left, and retries for 20 s.
 */
export function plainReader({ clock, random, send }: Outside, invokeEnsure: InvokeEnsure): TokenCaller {
  const reader = new SecretsManagerTokenReader(clientOf(send), 'latchkey');
  const read = (key: TokenKey) => reader.read(key, 'AWSCURRENT').catch(() => undefined);
  return async (key, refused) => {
    const untilMs = clock.nowMs() + PATIENCE_MS;
    const target = { interface: key.interface, scope: key.scope } as TokenType;
    const event: EnsureEvent = { ...target, action: 'ensure', tenantId: key.tenantId };
    if (refused !== undefined) event.rejectedTokenSha256 = sha256Hex(refused);
    for (let attempt = 0; ; attempt += 1) {
      const token = (await read(key))?.token;
      const lifeMs = token === undefined ? 0 : token.expiresAtMs - clock.nowMs();
      const isUsable = token !== undefined && token.accessToken !== refused && lifeMs > 0;
      if (isUsable && lifeMs >= LEAST_LIFE_MS) return token.accessToken;
      const answer = await invokeEnsure(event);
      if (isUsable && answer?.ok !== true && token.expiresAtMs > clock.nowMs()) return token.accessToken;
      const retryAfterMs = answer?.ok === false ? (answer.error.retryAfterSec ?? 0) * 1000 : 0;
      const backoffMs = random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** attempt);
      const waitMs = Math.max(backoffMs, retryAfterMs);
      if (clock.nowMs() + waitMs >= untilMs)
        throw new Error(answer?.ok === false ? answer.error.code : 'no token');
      await clock.sleep(waitMs);
    }
  };
}

/** A service with the client library. */
export function libraryUser({ clock, random, send }: Outside, invokeEnsure: InvokeEnsure): TokenCaller {
  const source = createTokenSource({
    tokenRefresh: 'token-refresh',
    secretsManager: clientOf(send),
    lambda: lambdaOf(invokeEnsure),
    random,
    clock,
  });
  return async (key, refused) => {
    const { accessToken } = await source.getToken(key, refused === undefined ? {} : { refused });
    return accessToken;
  };
}

function lambdaOf(invokeEnsure: InvokeEnsure): LambdaClient {
  const send = async ({ input }: InvokeCommand) => {
    const event = JSON.parse(Buffer.from(input.Payload as Uint8Array).toString()) as EnsureEvent;
    const answer = await invokeEnsure(event);
    if (answer === undefined) throw serviceException('TooManyRequestsException');
    return { Payload: Buffer.from(JSON.stringify(answer)) };
  };
  return { send } as unknown as LambdaClient;
}
