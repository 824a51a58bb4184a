// The unit tests as StrykerJS runs them: alone, with a record of which test covers which mutant.
const { join } = require('node:path');

const { projects } = require('../../jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...projects.find(({ displayName }) => displayName === 'unit'),
  rootDir: join(__dirname, '../..'),
  testEnvironment: require.resolve('@stryker-mutator/jest-runner/jest-env/node'),
};
