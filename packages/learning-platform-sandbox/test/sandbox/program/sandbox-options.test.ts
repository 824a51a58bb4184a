import fc from 'fast-check';
import { readOptions } from '../../../src/sandbox/program/sandbox-options';

const NO_OPTIONS = {
  port: 0,
  separatePorts: false,
  seedFile: undefined,
  caFile: undefined,
  json: false,
  help: false,
};
const PORTS = '0–65535; 0 picks a free port';

test('without options, one free port serves all addresses', () => {
  expect(readOptions([])).toEqual({ options: NO_OPTIONS, issues: [] });
});

test('reads options with and without =', () => {
  const args = ['--port', '8443', '--separate-ports', '--seed=seed.json', '--ca-file', 'a b.pem', '--json'];

  expect(readOptions(args)).toEqual({
    options: {
      port: 8443,
      separatePorts: true,
      seedFile: 'seed.json',
      caFile: 'a b.pem',
      json: true,
      help: false,
    },
    issues: [],
  });
});

test.each(['-h', '--help'])('%s requests help', (flag) => {
  expect(readOptions([flag])).toEqual({ options: { ...NO_OPTIONS, help: true }, issues: [] });
});

test.each([
  [['--port', 'abc'], `--port: found abc; allowed: ${PORTS}`],
  [['--port=-1'], `--port: found -1; allowed: ${PORTS}`],
  [['--port', '65536'], `--port: found 65536; allowed: ${PORTS}`],
  [['--port', '1e3'], `--port: found 1e3; allowed: ${PORTS}`],
  [['--port', ' 80'], `--port: found something else; allowed: ${PORTS}`],
  [['--seed'], '--seed: found nothing; allowed: a JSON file'],
  [['--seed', '--json'], '--seed: found nothing; allowed: a JSON file'],
  [['--ca-file='], '--ca-file: found nothing; allowed: a path to write a file to'],
  [['--json=yes'], '--json: found yes; allowed: no value'],
  [['seed.json'], 'arguments: found seed.json; allowed: options only'],
])('%j is reported with what was found and what is allowed', (args, issue) => {
  expect(readOptions(args).issues).toEqual([issue]);
});

test('a port without a value is reported once', () => {
  expect(readOptions(['--port']).issues).toEqual([`--port: found nothing; allowed: ${PORTS}`]);
});

test('all faults are reported at once', () => {
  const { issues } = readOptions(['--prot', '1', '--port', '70000', '--seed']);

  expect(issues).toEqual([
    expect.stringMatching(/^arguments: found the unknown option --prot; allowed: --port, --separate-ports, /),
    'arguments: found 1; allowed: options only',
    '--seed: found nothing; allowed: a JSON file',
    `--port: found 70000; allowed: ${PORTS}`,
  ]);
});

test('a value that might be a secret is not printed', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9+/_=-]{16,64}$/);
  const flag = fc.constantFrom('', '--port=', '--json=', '--', '--client-secret=', '-');

  fc.assert(
    fc.property(secret, flag, (value, before) => {
      const { issues } = readOptions([`${before}Q7${value}`]);

      expect(issues.length).toBeGreaterThan(0);
      expect(issues.join()).not.toContain(value);
    }),
  );
});
