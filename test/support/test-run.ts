/** Names the folder for what all tests of a run share: what is dear to make, and made of the sources as they are now. */
export const TEST_RUN_VARIABLE = 'LATCHKEY_TEST_RUN';

/** That folder; undefined outside of a run of jest. */
export function testRunFolder(): string | undefined {
  return process.env[TEST_RUN_VARIABLE];
}
