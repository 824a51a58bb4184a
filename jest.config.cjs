// The SDK's warning about Node 20 would bury the tests' output. On AWS the functions run on a newer Node.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

// The only package in the tests that is published as an ES module alone.
const ES_MODULES = 'oauth4webapi/';
/** Packages that the test files of a worker share, since loading them takes most of the time of many files. */
const SHARED = '(?:aws-cdk-lib|cdk-nag|constructs)/';
const transform = {
  [`\\.ts$|/node_modules/${ES_MODULES}`]: '<rootDir>/test/support/transpile.cjs',
  [`/node_modules/${SHARED}.*\\.c?js$`]: '<rootDir>/test/support/load-outside.cjs',
};
const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  transform,
  setupFiles: ['<rootDir>/test/support/end-async-storages.ts', '<rootDir>/test/support/share-outside.ts'],
  transformIgnorePatterns: [`/node_modules/(?!${ES_MODULES}|${SHARED})`],
  testEnvironment: 'node',
  moduleNameMapper: { '^esbuild$': '<rootDir>/test/support/esbuild-once.ts' },
  modulePathIgnorePatterns: [
    '<rootDir>/cdk.out',
    '<rootDir>/.latchkey',
    '<rootDir>/.stryker',
    '<rootDir>/dist',
  ],
  ...more,
});

/** Tests that start programs or combine several parts of the product: too slow for the inner loop. */
const SYSTEM = [
  'test/{fuzz,restore-api,threats,tools}/**',
  'packages/learning-platform-sandbox/test/conformance/**',
  'packages/learning-platform-sandbox/test/sandbox/{hostile,model,openapi,program}/**',
  'packages/learning-platform-sandbox/test/sandbox/{main,memory,recipes}',
  'packages/cdk-on-loopback/test/functions/**',
  'packages/cdk-on-loopback/test/examples',
  'test/laptop/supervisor/**',
  'test/cli/started-programs',
  'test/laptop/host',
  'packages/aws-proof/test/{clean-up,latchkey-clean-up,questions,run,synthesize,cdk-stacks}',
];
const isFull = process.env.TEST_SIZE === 'full';
const testsIn = (place) => `${place.replace(/\*\*$/, '**/*')}.test.ts`;
const OF_THEIR_OWN = 'test/{docs,examples,faults,journeys,lib,life-cycles,packaging,simulation,stacks}/**';

/** @type {import('jest').Config} */
module.exports = {
  // One more than processors of a small machine: a journey mostly waits for the system that runs next to it.
  maxWorkers: 3,
  // No test waits this long. On a busy machine, those that start a program may take more than jest's 5 s.
  testTimeout: 20_000,
  // A worker keeps some memory of each file. Beyond this, garbage collection costs more than a new worker.
  workerIdleMemoryLimit: '800MB',
  testSequencer: '<rootDir>/test/support/test-order.cjs',
  globalSetup: '<rootDir>/test/support/begin-test-run.ts',
  globalTeardown: '<rootDir>/test/support/end-test-run.ts',
  projects: [
    project('unit', [
      '<rootDir>/{test,packages/*/test}/**/*.test.ts',
      ...[...SYSTEM, OF_THEIR_OWN].map((place) => `!**/${testsIn(place)}`),
    ]),
    project(
      'system',
      SYSTEM.map((place) => `<rootDir>/${testsIn(place)}`),
      // They deploy everything many times, or repeat the conformance suite.
      {
        testPathIgnorePatterns: isFull ? [] : ['/latchkey-clean-up\\.test\\.ts$'],
      },
    ),
    project('stack', ['<rootDir>/test/{docs,examples,lib,stacks}/**/*.test.ts'], {
      testPathIgnorePatterns: isFull ? [] : ['/examples/event-listener/', '/function-sandbox\\.test\\.ts$'],
    }),
    project('fault', ['<rootDir>/test/faults/**/*.test.ts']),
    project('simulation', ['<rootDir>/test/simulation/**/*.test.ts']),
    project('life-cycle', ['<rootDir>/test/life-cycles/**/*.test.ts']),
    // `npm run test:journeys`: what users do with running systems and with the package, and releases.
    project('journey', ['<rootDir>/test/{journeys,packaging}/**/*.test.ts'], {
      // They install packages from the registry, many times over.
      testPathIgnorePatterns: isFull ? [] : ['/packaging/(cdk-range|constructs|release-dry)\\.test\\.ts$'],
      setupFilesAfterEnv: ['<rootDir>/test/journeys/support/setup.ts'],
    }),
  ],
};
