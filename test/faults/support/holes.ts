import { type HttpsAnswer } from '../../../lambdas/shared/adapters/https-client';
import { PlatformUnavailableError } from '../../../lambdas/shared/domain/token-errors';
import { type VirtualWorld } from './virtual-world';

/** Changes every answer of the platform before the function sees it. */
export function alterAnswers({ transport }: VirtualWorld, alter: (answer: HttpsAnswer) => HttpsAnswer): void {
  const { send } = transport;
  transport.send = async (request) => alter(await send(request));
}

/** Changes the errors of token requests. */
export function alterRefusals(world: VirtualWorld, alter: (error: Error) => Error): void {
  world.between = (ports) => ({
    ...ports,
    issuer: {
      requestToken: (request) =>
        ports.issuer.requestToken(request).catch((error: Error) => Promise.reject(alter(error))),
    },
  });
}

/** Replaces any error with an outage of the platform. */
export function outage(
  { message }: Error,
  options?: { retryAfterMs?: number; isRetryable?: boolean },
): PlatformUnavailableError {
  return new PlatformUnavailableError(message, options);
}

/** Makes every write create a version, whichever version the writer has read. */
export function writeBlindly({ tokens }: VirtualWorld): void {
  const { compareAndSet } = tokens;
  let writes = 0;
  tokens.compareAndSet = (key, seen, token) => {
    writes += 1;
    return compareAndSet.call(tokens, key, { ...seen, attempt: 1_000 * writes }, token);
  };
}
