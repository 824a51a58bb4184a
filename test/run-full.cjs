/**
 * `npm run test:full -- SUITE [JEST OPTIONS]` runs a suite in full size; `npm test` runs a small part of it.
 * Lists the suites if none is given.
 */
const { spawnSync } = require('node:child_process');

const JEST = require.resolve('jest/bin/jest');
const system = (path) => [JEST, '--selectProjects', 'system', '--runInBand', '--testPathPatterns', path];
const journey = (name) => [JEST, '--selectProjects', 'journey', '--testPathPatterns', name];

const SUITES = {
  accounts: ['readers, callers and the command in several accounts', journey('journeys/accounts')],
  alarms: ['the alarms of credentials over three days', journey('journeys/alarms')],
  advice: ['every fault, and the advice of status about it followed as printed', journey('advice')],
  bulk: ['1,000 contents restored by one command that is interrupted twice', journey('bulk-restore')],
  'cdk-range': [
    'the package with the lowest and the current version of the CDK',
    system('test/packaging/cdk-range'),
  ],
  console: ['the console in a browser', journey('journeys/console')],
  conformance: [
    'every violation of the specification that the conformance checks must find',
    system('test/platform/conformance/violations'),
  ],
  destroy: ['what cdk destroy leaves, and the page that removes it', journey('journeys/destroy')],
  events: ['events of renewals, and what takes them', journey('journeys/events')],
  examples: [
    'the examples, with all packages installed from their registries',
    [
      JEST,
      '--selectProjects',
      'journey',
      'stack',
      '--runInBand',
      '--testPathPatterns',
      'test/(journeys/)?examples',
    ],
  ],
  'existing-roles': [
    'a system whose roles have the printed policies, and what fails without one statement',
    journey('existing-roles'),
  ],
  faults: ['the fault matrix with three seeds a row', [JEST, '--selectProjects', 'fault', '--verbose']],
  fuzz: [
    '50,000 requests to the restore API, 4,000 raw connections, 10,000 of every other input',
    system('test/fuzz'),
  ],
  'first-hour': ['the README and the docs as a newcomer follows them', journey('first-hour')],
  'foreign-app': ['the assembly of another app on the laptop', journey('foreign-app')],
  'life-cycles': [
    'an upgrade of every deployment of the saved release, with counts of what callers noticed',
    [JEST, '--selectProjects', 'life-cycle', '--verbose'],
  ],
  'clean-up': [
    '60 runs of latchkey prove killed at random, and what is left of them',
    system('test/prove/(latchkey-)?clean-up.test'),
  ],
  permissions: ['every statement of every role, removed alone, fails a journey', journey('permissions')],
  tokens: ['a day of tokens on the laptop, by the schedule alone', journey('journeys/tokens')],
  rotation: ['eight rotations of each kind under load', journey('rotation-under-load')],
  network: ['proxies that tunnel, refuse, hang and open TLS', journey('journeys/network')],
  recipes: ['the recipes for other systems', journey('journeys/recipes')],
  runbook: ['every block of every page of the runbook', journey('runbook')],
  looking: ['status and doctor on the laptop', journey('commands/looking')],
  metrics: ['metrics, logs and answers of one request have the same ids', journey('metrics-join')],
  observed: ['keys, collected logs, signed code and traces of an app', journey('journeys/observed')],
  constructs: ['the constructs of the package in an app of their own', system('packaging/constructs')],
  'release-dry': ['a release without publishing it', system('test/packaging/release-dry')],
  'restore-configured': ['restores as a configuration changes them', journey('journeys/restore-configured')],
  'restore-history': ['what was restored, by whom', journey('journeys/restore-history')],
  'sandbox-function': [
    'the conformance suite against the sandbox as a Lambda function',
    system('conformance/function-sandbox'),
  ],
  'sandbox-bodies': [
    '1,000 bodies for each operation of the platform',
    system('sandbox/openapi/request-bodies'),
  ],
  'sandbox-hostile': ['10,000 malformed requests to the sandbox', system('test/platform/sandbox/hostile')],
  'sandbox-model': ['5,000 sequences of operations against a model', system('test/platform/sandbox/model')],
  'single-flight': ['a thousand callers of one expired token', journey('single-flight')],
  simulation: [
    '20,000 interleavings, every kill point, seven simulated days',
    [JEST, '--selectProjects', 'simulation'],
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
