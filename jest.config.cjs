// The SDK's advice about Node 20 would hide what tests print; the functions run on a newer one.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

// The one package that tests use and that is an ES module only.
const ES_MODULES = 'oauth4webapi/';
const transform = { [`\\.ts$|/node_modules/${ES_MODULES}`]: '<rootDir>/test/support/transpile.cjs' };
const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  transform,
  setupFiles: ['<rootDir>/test/support/end-async-storages.ts'],
  transformIgnorePatterns: [`/node_modules/(?!${ES_MODULES})`],
  testEnvironment: 'node',
  moduleNameMapper: { '^esbuild$': '<rootDir>/test/support/esbuild-once.ts' },
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.latchkey', '<rootDir>/.stryker'],
  ...more,
});

/** Tests that start programs, or have several parts of the product work together: too slow for the inner loop. */
const SYSTEM = [
  'test/{fuzz,packaging,restore-api,threats,tools}/**',
  'test/platform/conformance/**',
  'test/platform/sandbox/{hostile,model,openapi,program}/**',
  'test/platform/sandbox/{main,memory,recipes}',
  'test/local/{functions,supervisor}/**',
  'test/cli/started-programs',
  'test/local/host',
];
const testsIn = (place) => `${place.replace(/\*\*$/, '**/*')}.test.ts`;
const OF_THEIR_OWN = 'test/{faults,journeys,lib,simulation}/**';

/** @type {import('jest').Config} */
module.exports = {
  // A journey runs a whole system beside its test: more at once would only wait for one another.
  maxWorkers: 2,
  // A worker keeps something of every file: beyond this, collecting garbage costs more than another worker.
  workerIdleMemoryLimit: '800MB',
  testSequencer: '<rootDir>/test/support/test-order.cjs',
  globalSetup: '<rootDir>/test/support/begin-test-run.ts',
  globalTeardown: '<rootDir>/test/support/end-test-run.ts',
  projects: [
    project('unit', [
      '<rootDir>/test/**/*.test.ts',
      ...[...SYSTEM, OF_THEIR_OWN].map((place) => `!**/${testsIn(place)}`),
    ]),
    project(
      'system',
      SYSTEM.map((place) => `<rootDir>/${testsIn(place)}`),
    ),
    project('stack', ['<rootDir>/test/lib/**/*.test.ts']),
    project('fault', ['<rootDir>/test/faults/**/*.test.ts']),
    project('simulation', ['<rootDir>/test/simulation/**/*.test.ts']),
    project('journey', ['<rootDir>/test/journeys/**/*.test.ts'], {
      setupFilesAfterEnv: ['<rootDir>/test/journeys/support/setup.ts'],
    }),
  ],
};
