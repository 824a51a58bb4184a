/** ts-jest only transpiles here: `npm run build` type-checks every test. */
const transform = { '^.+\\.ts$': ['ts-jest', { transpilation: true }] };
const project = (displayName, testMatch, more = {}) => ({
  displayName,
  testMatch,
  transform,
  testEnvironment: 'node',
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.latchkey'],
  ...more,
});

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('unit', ['<rootDir>/test/**/*.test.ts', '!<rootDir>/test/journeys/**', '!<rootDir>/test/lib/**']),
    project('stack', ['<rootDir>/test/lib/**/*.test.ts']),
    project('journey', ['<rootDir>/test/journeys/**/*.test.ts']),
  ],
};
