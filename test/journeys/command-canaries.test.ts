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

  it('exits as expected in every run, so that each command was exercised', () => {
    const outcomes = Object.fromEntries(
      Object.entries(scenario.outcomes).filter(([name]) => !name.startsWith(LEAK_NAME)),
    );

    expect(outcomes).toEqual({
      'credentials put': 0,
      'api-key put': 0,
      'token refresh --all': 0,
      restore: 0,
      'restore --from': 1,
      'credentials put --revoke-previous': 0,
      'api-key put --replace': 0,
      'rollback --kind api-key --yes': 0,
      'credentials revoke-previous --kind api-key --yes': 0,
      'credentials rotate --kind api-key': 1,
      status: 0,
      'doctor --fix --yes': 0,
      'token show --interface content --scope api/read': 0,
      'token show --interface content --scope api/read --reveal': 2,
      'token show --reveal at a terminal': 0,
      'no JSON': 2,
      'broken JSON': 2,
      'field name': 2,
      'two lines': 2,
      'pair nobody knows': 77,
      'echoed in a refusal': 77,
      'told as an error code': 69,
      'echoed in HTML': 69,
      'echoed in broken JSON': 69,
      'expired key': 77,
      'key told with 400': 69,
      'key told with 302': 69,
      'secret behind a flag': 64,
      'secret as a word': 64,
      'header as an argument': 64,
      'secret as a tenant': 2,
      'secret as a command': 2,
      generate: 0,
      'generate echoed in an error': 1,
      'generate refused': 77,
      'generate without an end': 75,
      'generate with broken JSON': 75,
      'generate and no answer': 75,
      'generate without the right': 77,
      'generate without Bearer': 2,
      'generate at a terminal': 0,
      'put at a terminal': 0,
      'Ctrl-C in the prompt': 130,
      'API key at a terminal': 0,
      'Ctrl-C in the proof': 130,
      'Ctrl-C in the rotation': 75,
      'put without the right': 77,
      'put with it': 0,
      'rotate to a refused pair': 77,
      'rotate to an untested pair': 69,
      'rotate to a malformed pair': 77,
      'status of broken secrets': 1,
      'doctor on broken secrets': 1,
      'refresh from a faulty platform': 1,
    });
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
