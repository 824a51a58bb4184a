/**
 * `npm run test:full -- SUITE [JEST OPTIONS]` runs a suite in full size; the other commands run a small part of it.
 * Lists the suites if none is given.
 */
const { spawnSync } = require('node:child_process');

const JEST = require.resolve('jest/bin/jest');
const projects = (names, path) => [
  JEST,
  '--selectProjects',
  ...names,
  '--runInBand',
  ...(path === undefined ? [] : ['--testPathPatterns', path]),
];

const SUITES = {
  fuzz: [
    '50,000 requests to the restore API, 10,000 of every other input',
    projects(['system'], 'test/fuzz'),
  ],
  installs: [
    'examples and releases, with all packages installed from their registries',
    projects(['journey', 'system'], 'test/(journeys/services|examples|packaging)'),
  ],
  prove: [
    '60 runs of latchkey prove killed at random, and what is left of them',
    projects(['system'], 'packages/aws-proof/test/(latchkey-)?clean-up.test'),
  ],
  sandbox: [
    'every violation, 5,000 sequences, a Lambda function',
    projects(['build', 'system'], '(function-sandbox|sandbox/model)'),
  ],
  simulation: [
    '20,000 interleavings, every kill point, seven simulated days',
    projects(['system'], 'test/simulation'),
  ],
};

const [name, ...more] = process.argv.slice(2);
const suite = Object.hasOwn(SUITES, name ?? '') ? SUITES[name] : undefined;
if (suite === undefined) {
  const found = name === undefined ? '' : `suite: found ${name}; allowed: one of these\n`;
  const width = Math.max(...Object.keys(SUITES).map(({ length }) => length));
  const lines = Object.entries(SUITES).map(([each, [shows]]) => `  ${each.padEnd(width)}  ${shows}`);
  console.error(`${found}npm run test:full -- SUITE\n\n${lines.join('\n')}`);
  process.exit(2);
}
const env = { ...process.env, TEST_SIZE: 'full' };
process.exit(spawnSync(process.execPath, [...suite[1], ...more], { stdio: 'inherit', env }).status ?? 1);
