import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findCanaries, type Sighting, type VisibleText } from '../support/canaries';
import { type CanaryRecorder } from './support/canary-recorder';
import { type CommandsScenario, IN_ARGUMENTS, LEAK_NAME, runCommands } from './support/commands-scenario';
import { LEAK, runWithCredentials } from './support/credential-scenario';
import { consoleOf, deadLettersOf, filesOf, logsOf, processesOf, sandboxOf } from './support/visible-texts';

/** The kinds of sinks, by how their places begin. */
const SINKS: readonly [string, RegExp][] = [
  ['standard output and error', /^printed/],
  ['answers to callers', /^answer /],
  ['outputs of commands', /^output /],
  ['log groups, metrics included', /^log group /],
  ['dead letters', /^dead letters /],
  ['console', /^console /],
  ['sandbox log', /^sandbox /],
  ['arguments', /^arguments /],
  ['environments', /^environment /],
  ['assembly', /^file cdk\.out/],
  ['results files', /^file work\/.*results/],
  ['temporary files', /^file temporary\//],
  ['other files', /^file /],
];

/** How many texts each kind of sink has. @throws {Error} for a place of no kind */
export function countSinks(texts: readonly Pick<VisibleText, 'place'>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { place } of texts) {
    const [sink] = SINKS.find(([, places]) => places.test(place)) ?? [];
    if (sink === undefined) throw new Error(`${place}: state of which kind this place is`);
    counts.set(sink, (counts.get(sink) ?? 0) + 1);
  }
  return counts;
}

describe('a running system in which every input, error and log contains credentials', () => {
  let scenario: CanaryRecorder;
  let texts: VisibleText[];

  beforeAll(async () => {
    scenario = await runWithCredentials();
    const { system, answers } = scenario;
    for (const file of ['leak', 'cdk.out/leak'])
      writeFileSync(join(system.process.stateDir, file), Buffer.from(`key:${LEAK}`).toString('base64'));
    texts = [
      { place: 'printed', text: system.process.output },
      ...(await logsOf(system)),
      ...answers,
      ...filesOf(system.process.stateDir),
      ...processesOf(system.process.pid),
      ...(await consoleOf(system)),
      ...(await sandboxOf(system)),
      ...(await deadLettersOf(system)),
    ];
  });
  afterAll(() => scenario.system.stop());

  it('shows no credential except the access keys in local.json', () => {
    const keys = ['secret key of the administrator', 'secret key of the operator'];

    expect(findCanaries(scenario.canaries, texts)).toEqual(
      keys.map((key) => ({ canary: key, place: 'file local.json', form: 'raw' })),
    );
  });

  it('used every planted credential where it was planted', () => {
    expect(scenario.outcomes).toEqual({
      Basic: 200,
      Bearer: 200,
      'token that may only read': 403,
      'token that is replaced': 200,
      'wrong API key': 401,
      'wrong token': 401,
      'key of an unknown scheme': 401,
      'session as authorRef': 422,
      'key as collaborationId': 422,
      'secret as field name': 422,
      'secret in broken JSON': 400,
      'secret as content type': 415,
      'token in the query': 415,
      'token instead of its digest': 'invalid_request',
      'secret in an error body': 500,
      'secret in a refusal': 422,
      'secret in HTML': 500,
      'secret in a redirect': 500,
      'secret in Retry-After': 429,
      'secret in a header': 403,
      'secret beside a record': 200,
      'secret in a token refusal': 'credential_refused',
      'secret in broken token JSON': 'bad_platform_answer',
      'token without expiry': 'bad_platform_answer',
      // The former client credentials obtain these two tokens.
      'refused client secret': 'ok',
      'malformed credentials': 'ok',
      'malformed API key': 401,
      'leak in the path': 422,
      'leak in a record': 200,
      'leak as a content id': 404,
    });
  });

  it('detects deliberate leaks in every kind of place', () => {
    const sightings = findCanaries([{ name: 'leak', value: LEAK }], texts);

    expect([...new Set(sightings.map(({ place }) => place))]).toEqual([
      'printed',
      expect.stringMatching(/^log group latchkey-staging-global-RestoreAccessLogs/),
      expect.stringMatching(/^log group latchkey-staging-global-RestoreLogs/),
      'answer to leak in a record',
      'file leak',
      'file cdk.out/leak',
      'arguments of a process',
      'environment of a process',
      'console /state',
      'sandbox /requests',
      'sandbox /counters',
      'dead letters of latchkey-staging-global',
    ]);
    expect([...countSinks(sightings).keys()].sort()).toEqual([...countSinks(texts).keys()].sort());
  });
});

/** The kinds of sinks that the leaking command reaches. The other ones are the system's, whose journey has leaks of its own. */
const LEAKING_SINKS = [
  'arguments',
  'environments',
  'other files',
  'outputs of commands',
  'results files',
  'temporary files',
];

describe('every command, with valid and invalid credentials', () => {
  let scenario: CommandsScenario;
  let texts: VisibleText[];
  let sightings: Sighting[];

  beforeAll(async () => {
    scenario = await runCommands();
    const { system, answers } = scenario;
    const { aws, operator } = system.run;
    scenario.add('secret key of the administrator', aws.secretAccessKey);
    scenario.add('secret key of the operator', operator.secretAccessKey);
    texts = [
      { place: 'printed', text: system.process.output },
      ...(await logsOf(system)),
      ...answers,
      ...filesOf(system.process.stateDir),
      ...scenario.stopWatch(),
    ];
    sightings = findCanaries(scenario.canaries, texts);
  });
  afterAll(async () => {
    await scenario.system.stop();
    rmSync(scenario.folder, { recursive: true, force: true });
  });

  const isLeak = ({ canary }: Sighting) => canary === LEAK_NAME;
  const isOwnArgument = ({ canary, place }: Sighting) =>
    canary.endsWith(IN_ARGUMENTS) && place === 'arguments of a process';

  it('shows no credential except the access keys in local.json and the token that a command is asked to reveal', () => {
    const shown = sightings.filter((each) => !isLeak(each) && !isOwnArgument(each));
    const revealed = shown.filter(({ place }) => place === 'output of token show --reveal at a terminal');

    expect(shown.filter((each) => !revealed.includes(each))).toEqual([
      { canary: 'secret key of the administrator', place: 'file local.json', form: 'raw' },
      { canary: 'secret key of the operator', place: 'file local.json', form: 'raw' },
    ]);
    expect(revealed.map(({ canary }) => canary)).toContain('revealed token');
  });

  // test/cli has the exit code of each of these runs.
  it('ends in every way, so that what is shown of each has been searched', () => {
    const outcomes = Object.entries(scenario.outcomes).filter(([name]) => !name.startsWith(LEAK_NAME));

    expect(outcomes.length).toBeGreaterThan(25);
    expect(new Set(outcomes.map(([, exitCode]) => exitCode))).toEqual(new Set([0, 1, 2, 64, 75, 77, 130]));
  });

  it('detects a leak through every channel of the command', () => {
    const leaks = sightings.filter(isLeak);

    expect(new Set(leaks.map(({ place }) => place))).toEqual(
      new Set([
        'arguments of a process',
        'environment of a process',
        'file temporary/leak',
        'file work/leak.json',
        'file work/leak.results.jsonl',
        'output of leak by stdout',
        'output of leak by stderr',
      ]),
    );
    expect([...countSinks(leaks).keys()].sort()).toEqual(LEAKING_SINKS);
  });
});
