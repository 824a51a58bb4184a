import { rmSync } from 'node:fs';

import { findCanaries, type Sighting, type VisibleText } from '../support/canaries';
import { countSinks, printCanaryReport } from './support/canary-report';
import { type CommandsScenario, IN_ARGUMENTS, LEAK_NAME, runCommands } from './support/commands-scenario';
import { filesOf, logsOf } from './support/visible-texts';

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

    expect(outcomes.length).toBeGreaterThan(50);
    expect(new Set(outcomes.map(([, exitCode]) => exitCode))).toEqual(
      new Set([0, 1, 2, 64, 69, 75, 77, 130]),
    );
  });

  it('detects a leak through every channel of the command', () => {
    const leaks = sightings.filter(isLeak);
    printCanaryReport({
      where: 'every command',
      canaries: scenario.canaries,
      texts,
      leaks: { planted: LEAKING_SINKS.length, found: countSinks(leaks).size },
    });

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
