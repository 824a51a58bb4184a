import { unlessAborted } from '../../client/waits';
import { HttpsError, type sendHttps } from '../../lambdas/shared/adapters/https-client';
import { interruption } from '../command-error';
import { interpretKeyAnswer, type KeyAnswer } from './key-answer';

const CONNECT_TIMEOUT_MS = 5_000;
const TOTAL_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;

const MUTATION =
  'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }';

/** Request headers of a signed-in site administrator's browser. */
interface AdminSession {
  /** Including `Bearer`. */
  authorization: string;
  correlationId: string;
}

/**
 * Asks the tenant service for a permanent API key, once: the mutation is not idempotent.
 * @param baseUrl of the tenant service
 * @param interrupted ends the wait; the outcome is then unknown
 * @throws {CommandError} when interrupted before anything was sent
 * @see the platform's specification, "Endpoints" 2
 */
export async function requestApiKey(
  sendRequest: typeof sendHttps,
  baseUrl: string,
  { authorization, correlationId }: AdminSession,
  interrupted: AbortSignal,
): Promise<KeyAnswer> {
  if (interrupted.aborted) throw interruption();
  const sending = sendRequest({
    url: new URL(`${baseUrl}/tenants`),
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      'correlation-id': correlationId,
    },
    body: JSON.stringify({ query: MUTATION }),
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    totalTimeoutMs: TOTAL_TIMEOUT_MS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  try {
    return interpretKeyAnswer(await unlessAborted(sending, interrupted));
  } catch (error) {
    if (interrupted.aborted) return { kind: 'unknown', reason: 'interrupted while waiting for the answer' };
    if (!(error instanceof HttpsError)) throw error;
    return { kind: error.isSent ? 'unknown' : 'unavailable', reason: error.message };
  }
}
