/** Jest's message if a promise resolves instead of rejecting, or the reverse. */
const OTHER_ENDING = /Received promise (resolved instead of rejected|rejected instead of resolved)/;

/** Expects a check to fail with an assertion error. A check that crashes, or misuses a matcher, proves nothing. */
export async function expectRed(check: () => unknown): Promise<void> {
  let failure: unknown = new Error('every assertion holds');
  try {
    await check();
  } catch (error) {
    failure = error;
  }
  if (!isFailedAssertion(failure)) throw failure;
}

function isFailedAssertion(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { matcherResult } = error as { matcherResult?: { pass?: unknown } };
  return typeof matcherResult?.pass === 'boolean' || OTHER_ENDING.test(error.message);
}
