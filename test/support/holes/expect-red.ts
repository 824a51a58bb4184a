/** Expects an assertion to fail in a check. A check that crashes proves nothing. */
export async function expectRed(check: () => unknown): Promise<void> {
  let failure: unknown = new Error('every assertion holds');
  try {
    await check();
  } catch (error) {
    failure = error;
  }
  // Only the errors of jest's assertions have this property.
  if (!Object.hasOwn(failure as object, 'matcherResult')) throw failure;
}
