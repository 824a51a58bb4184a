import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import type * as main from '../../cli/main';
import { findCanaries } from '../support/canaries';
import { newFolder } from '../support/new-folder';
import { bundled } from './support/bundled';
import { commandsOf, runLine } from './support/command-line';
import { CONFIGURATION } from './support/configuration';

/** Random credentials in a platform's alphabet. */
const secret = fc.oneof(
  fc
    .tuple(
      fc.uint8Array({ minLength: 15, maxLength: 48 }),
      fc.constantFrom('base64url', 'base64', 'hex', 'latin1' as const),
    )
    // No argument contains NUL, which ends it for the operating system.
    .map(([bytes, encoding]) => `q7${Buffer.from(bytes).toString(encoding).replaceAll('\0', '')}`),
  fc.uuid(),
);

const ALL = commandsOf();
const WORDS = [
  ...ALL.flatMap(({ name }) => name.split(' ')),
  'staging',
  'global',
  'one',
  '--',
  '-h',
  '--help',
];
const FLAGS = [...new Set(ALL.flatMap(({ options }) => options)), '--enviroment', '-x'];
const COMMANDS = [
  ...ALL.map(({ name }) => name),
  'token',
  'restore id-1 --author-ref jo',
  'init --upgrade',
].map((line) => line.split(' '));

/** One or two arguments that contain the secret. */
const withSecret = (value: string) =>
  fc.oneof(
    fc.constantFrom([value], [`--${value}`], [`-${value}`], [`--${value}=1`], [`clientSecret=${value}`]),
    fc.constantFrom(
      [`{"apiKey":"${value}"}`],
      [`Bearer ${value}`],
      ['Basic', value],
      [`https://x/?${value}`],
    ),
    fc
      .tuple(fc.constantFrom(...FLAGS), fc.boolean())
      .map(([flag, isJoined]) => (isJoined ? [`${flag}=${value}`] : [flag, value])),
  );

/** Mostly none, because the first error ends a run. */
const others = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...WORDS, ...FLAGS), { maxLength: 3 }) },
);
const commandLine = secret.chain((value) =>
  fc.record({
    value: fc.constant(value),
    args: fc
      .tuple(fc.constantFrom([], ...COMMANDS), others, withSecret(value), others)
      .map((parts) => parts.flat()),
  }),
);

describe('a secret in the arguments', () => {
  const folder = newFolder();
  let runCommand: typeof main.runCommand;

  beforeAll(() => {
    mkdirSync(join(folder, 'config'));
    writeFileSync(join(folder, 'config/latchkey.json'), JSON.stringify(CONFIGURATION));
    // Without a region, the SDK makes no calls.
    jest.replaceProperty(process, 'env', {
      ...process.env,
      AWS_REGION: undefined,
      AWS_DEFAULT_REGION: undefined,
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
      AWS_EC2_METADATA_DISABLED: 'true',
    });
    ({ runCommand } = bundled<typeof main>(folder, 'main'));
  });
  afterAll(() => jest.restoreAllMocks());

  it('is never printed, whatever its position', async () => {
    await fc.assert(
      fc.asyncProperty(commandLine, async ({ value, args }) => {
        const { exitCode, stdout, stderr } = await runLine(args, { folder, run: runCommand });
        const text = `${stdout}\n${stderr}`;

        if (exitCode !== 0) expect(text).not.toBe('\n');
        expect(text).not.toContain('This is a bug');
        expect(findCanaries([{ name: 'secret', value }], [{ place: 'output', text }])).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  }, 60_000);
});
