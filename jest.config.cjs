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

/** Tests of the product that run in their own process. */
const UNIT = ['test/{cli,client,core,lambdas,laptop,support}/**', 'test/import-directions'];
const STACK = 'test/{lib,stacks}/**';
/** Those that bundle functions or commands, or synthesize. They are of the project `build`, as stacks are. */
const BUNDLING = [
  'test/lambdas/*/{bundle,handler}',
  'test/lambdas/optional/network',
  'test/cli/{argument-secrecy,other-account,roles-command}',
];
/** Those that start programs after all, build every bundle anew, or run what a page says. */
const STARTING = [
  'test/laptop/supervisor/**',
  'test/laptop/host',
  'test/cli/{completion,process,sandbox-process,started-programs}',
  'test/client/short-process',
  'test/lib/{app,cdk-commands}',
  'test/lib/bundling/**',
  'test/lib/constructs/guide',
  'test/stacks/signed-code',
];
const JOURNEY = 'test/{journeys,packaging}/**';
const isFull = process.env.TEST_SIZE === 'full';
const testsIn = (place) => `${place.replace(/\*\*$/, '**/*')}.test.ts`;
const among = (places) => places.map((place) => `<rootDir>/${testsIn(place)}`);
const not = (places) => places.map((place) => `!**/${testsIn(place)}`);

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
    // `npm run test:quick`.
    project('unit', [...among(UNIT), ...not([...BUNDLING, ...STARTING])]),
    // With the project before, `npm test`.
    project('build', [...among([STACK, ...BUNDLING]), ...not(STARTING)], {
      testPathIgnorePatterns: isFull ? [] : ['/function-sandbox\\.test\\.ts$'],
    }),
    // With the next project, `npm run test:journeys`: whole functions and systems, the packages, and the tools.
    project(
      'system',
      [...among(['{test,packages/*/test}/**']), ...not([...UNIT, STACK, JOURNEY]), ...among(STARTING)],
      // They deploy everything many times, or install packages from their registries.
      {
        testPathIgnorePatterns: isFull
          ? []
          : ['/latchkey-clean-up\\.test\\.ts$', '/examples/event-listener/'],
      },
    ),
    // What users do with running systems and with the package, and releases.
    project('journey', among([JOURNEY]), {
      // They install packages from the registry, many times over.
      testPathIgnorePatterns: isFull ? [] : ['/packaging/(cdk-range|constructs|release-dry)\\.test\\.ts$'],
      setupFilesAfterEnv: ['<rootDir>/test/journeys/support/setup.ts'],
    }),
  ],
};
