/** The environment variable with the folder for expensive results that all tests of a run share. */
export const TEST_RUN_VARIABLE = 'LATCHKEY_TEST_RUN';

/** The shared folder; undefined outside jest. */
export function testRunFolder(): string | undefined {
  return process.env[TEST_RUN_VARIABLE];
}
