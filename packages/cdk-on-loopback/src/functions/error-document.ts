import { parseJsonObject } from '../json-object';
import { type LambdaFunction } from '../account';

/**
 * The payload that Lambda returns if a function fails.
 * @see AWS Lambda Developer Guide, "Troubleshoot invocation issues in Lambda"
 */
export function errorDocument(errorType: string, errorMessage: string): Buffer {
  return Buffer.from(JSON.stringify({ errorType, errorMessage }));
}

/** The members of an {@link errorDocument}; empty if the payload is something else. */
export function readErrorDocument(payload: Buffer): { errorType?: string; errorMessage?: string } {
  return parseJsonObject(payload.toString()) ?? {};
}

export function timedOut(requestId: string, { timeoutSec }: LambdaFunction): Buffer {
  return errorDocument(
    'Sandbox.Timedout',
    `RequestId: ${requestId} Error: Task timed out after ${timeoutSec.toFixed(2)} seconds`,
  );
}

/** The process exited before it responded. */
export function runtimeExited(requestId: string, exitCode: number | null, signal: string | null): Buffer {
  const reason =
    signal !== null
      ? `exited with error: signal: ${signal === 'SIGKILL' ? 'killed' : signal}`
      : exitCode === 0
        ? 'exited without providing a reason'
        : `exited with error: exit status ${exitCode}`;
  return errorDocument('Runtime.ExitError', `RequestId: ${requestId} Error: Runtime ${reason}`);
}

/** @see AWS Lambda Developer Guide, "Lambda quotas": 6 MB for the response of a synchronous invocation */
export const MAX_RESPONSE_BYTES = 6_291_556;

export function responseTooLarge(): Buffer {
  return errorDocument(
    'Function.ResponseSizeTooLarge',
    `Response payload size exceeded maximum allowed payload size (${MAX_RESPONSE_BYTES} bytes).`,
  );
}
