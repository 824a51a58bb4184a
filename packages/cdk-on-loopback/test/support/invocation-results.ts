import { type InvocationResult } from '../../src/interfaces';

export const THROTTLED: InvocationResult = {
  kind: 'throttled',
  reason: 'ReservedFunctionConcurrentInvocationLimitExceeded',
};

/** The result of a function that threw. */
export const failure = (errorMessage: string): Extract<InvocationResult, { kind: 'function-error' }> => ({
  kind: 'function-error',
  functionError: 'Unhandled',
  payload: Buffer.from(JSON.stringify({ errorType: 'Error', errorMessage })),
  logTail: '',
  requestId: 'r-1',
});
