/** Asks until the answer is yes. A question is a request over TLS, so this takes seconds. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < 2_000; n += 1) if (await isSo()) return;
  throw new Error(`it did not become so: ${isSo.toString()}`);
}
