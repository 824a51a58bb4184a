import { type Context } from 'aws-lambda';

import { REASON_PHRASES } from '../../../core/restore/restore-outcomes';
import { ROTATION_FAILURES } from '../../../core/rotation/rotation';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { restorePath } from '../../support/restore-api/restore-path';

/** Codes that mean that the event itself was refused. */
const REFUSALS: readonly unknown[] = [
  'invalid_request',
  'invalid_event',
  'unknown_step',
  'unknown_token_key',
];

/** The event of a request to restore a content, as the authorizer and the restore function get it. */
export const requestWith = (authorization: string) => ({
  path: restorePath(TENANT_ID, 'a'),
  pathParameters: { tenantId: TENANT_ID, contentId: 'a' },
  multiValueHeaders: { 'Content-Type': ['application/json'], Authorization: [authorization] },
  requestContext: { requestId: 'request-1' },
  methodArn: 'arn:aws:execute-api:eu-west-1:111111111111:api/v1/POST/x',
  body: '{"authorRef":"author-1"}',
  isBase64Encoded: false,
});

export type Handler = (event: unknown, context: Context) => Promise<unknown>;

/**
 * What a function does with an event: `refused`, `failed` for a reason that it names, or `answered`. Anything else, such as a
 * TypeError, fails the test.
 */
export async function outcomeOf(
  handler: Handler,
  event: unknown,
  remainingMs = 5_000,
): Promise<{ outcome: 'refused' | 'failed' | 'answered'; said: string }> {
  const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => remainingMs } as Context;
  try {
    const answer = (await handler(event, context)) as
      { error?: { code: string; message: string }; statusCode?: number } | undefined;
    const said = JSON.stringify(answer ?? null);
    if (answer?.statusCode !== undefined)
      expect(Object.keys(REASON_PHRASES).map(Number)).toContain(answer.statusCode);
    if (answer?.error === undefined) return { outcome: 'answered', said };
    expect(answer.error.message).toMatch(/\S/);
    return { outcome: REFUSALS.includes(answer.error.code) ? 'refused' : 'failed', said };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    const said = `${String(error)}\n${String((error as Error).stack)}`;
    if (message === 'Unauthorized') return { outcome: 'failed', said };
    if (!ROTATION_FAILURES.some((known) => known === code) && !REFUSALS.includes(code)) throw error;
    expect(message).toMatch(/\S/);
    return { outcome: REFUSALS.includes(code) ? 'refused' : 'failed', said };
  }
}
