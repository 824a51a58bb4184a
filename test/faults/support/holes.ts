import { type HttpsAnswer } from '../../../lambdas/shared/adapters/https-client';
import { StoreError } from '../../../lambdas/shared/domain/store-error';
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

/** Changes the errors of reading and writing secrets. */
export function alterStoreFailures({ tokens, credentials }: VirtualWorld, alter: (error: Error) => Error) {
  const fail = (error: Error) => Promise.reject(alter(error));
  const { read, compareAndSet } = tokens;
  tokens.read = (...args) => read.apply(tokens, args).catch(fail);
  tokens.compareAndSet = (...args) => compareAndSet.apply(tokens, args).catch(fail);
  const { read: readCredential } = credentials;
  credentials.read = (...args) => readCredential.apply(credentials, args).catch(fail);
}

/** Replaces any error with an unreachable store. */
export function storeOutage({ message }: Error): StoreError {
  return new StoreError('unavailable', message);
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
