import {
  GetSecretValueCommand,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';

import { type Network } from '../../optional/network';
import { type Clock } from '../ports';
import { isUnanswered } from './secrets-manager-error';
import { systemClock } from './system-clock';

/** A smaller difference between our clock and Secrets Manager's is left to the platform's Date header. */
const MIN_CORRECTED_MS = 5 * 60_000;

/**
 * The functions' client of Secrets Manager. The SDK's three attempts must fit into one renewal. Without
 * throwOnRequestTimeout, it only warns about a slow request and keeps waiting.
 * @param agents how calls leave the function, if not as usual
 */
export function secretsManagerClient(agents: Network['aws'], requestTimeout = 3_000): SecretsManagerClient {
  const client = new SecretsManagerClient({
    requestHandler: { connectionTimeout: 1_000, requestTimeout, throwOnRequestTimeout: true, ...agents },
  });
  keepLastAnswer(client);
  return client;
}

/**
 * Makes a call that times out fail with Secrets Manager's answer to an earlier attempt, if there was one. By default it fails
 * with the timeout, as if Secrets Manager could not be reached.
 */
function keepLastAnswer({ middlewareStack }: SecretsManagerClient): void {
  const answers = new WeakMap<object, Error>();
  middlewareStack.add(
    (next, context) => async (call) => {
      try {
        return await next(call);
      } catch (error) {
        throw isUnanswered(error) ? (answers.get(context) ?? error) : error;
      }
    },
    { step: 'initialize', priority: 'high' },
  );
  // Within the retries, which have the priority high.
  middlewareStack.add(
    (next, context) => async (call) => {
      try {
        return await next(call);
      } catch (error) {
        if (error instanceof SecretsManagerServiceException) answers.set(context, error);
        throw error;
      }
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
}

/**
 * Warms up the client of newly composed ports by a call that is aborted before it is sent: it compiles the SDK's code, and resolves
 * endpoint and credentials. For the init phase, which has a whole vCPU.
 * @see docs/decisions/0050-work-in-the-init-phase.md
 */
export function warmedUp<Ports extends { secretsManager: SecretsManagerClient }>(ports: Ports): Ports {
  const abortSignal = { aborted: true, onabort: null };
  ports.secretsManager
    .send(new GetSecretValueCommand({ SecretId: 'none' }), { abortSignal })
    .catch(() => undefined);
  return ports;
}

/**
 * The system clock, corrected by Secrets Manager's if they differ by five minutes or more. The SDK reads the difference from the
 * Date header of each answer, even of one that refuses a signature because of the time, so it is known after the first call.
 * @see https://github.com/aws/aws-sdk-js-v3/blob/main/packages/core/src/submodules/httpAuthSchemes/aws_sdk/resolveAwsSdkSigV4Config.ts
 */
export function correctedClock({ config }: Pick<SecretsManagerClient, 'config'>): Clock {
  return {
    ...systemClock,
    nowMs: () => {
      const { systemClockOffset: offsetMs } = config;
      return systemClock.nowMs() + (Math.abs(offsetMs) < MIN_CORRECTED_MS ? 0 : offsetMs);
    },
  };
}
