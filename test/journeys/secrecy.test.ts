import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findCanaries, type Sighting } from '../support/canaries';
import { CanaryRecorder, LEAK } from './support/canary-recorder';
import { runCommands } from './support/commands-scenario';
import { sendCredentials } from './support/credential-scenario';
import { consoleOf, deadLettersOf, filesOf, logsOf, processesOf, sandboxOf } from './support/visible-texts';

/**
 * Commands, callers and a faulty platform put credentials into every input, error and log of a running system. test/cli has what
 * each command says, and that no argument is shown.
 */
let recorder: CanaryRecorder;
let sightings: Sighting[];

beforeAll(async () => {
  recorder = await CanaryRecorder.start();
  await runCommands(recorder);
  await sendCredentials(recorder);
  const { system, answers, canaries } = recorder;
  for (const file of ['leak', 'cdk.out/leak'])
    writeFileSync(join(system.process.stateDir, file), Buffer.from(`key:${LEAK}`).toString('base64'));
  const texts = [
    { place: 'printed', text: system.process.output },
    ...(await logsOf(system)),
    ...answers,
    ...filesOf(system.process.stateDir),
    ...processesOf(system.process.pid),
    ...recorder.watch.stop(),
    await consoleOf(system),
    ...(await sandboxOf(system)),
    ...(await deadLettersOf(system)),
  ];
  sightings = findCanaries([{ name: 'leak', value: LEAK }, ...canaries], texts);
}, 180_000);
afterAll(() => recorder.stop());

const isLeak = ({ canary }: Sighting) => canary === 'leak';

it('no credential is visible except the access keys in local.json and the token that a command is asked to reveal', () => {
  const shown = sightings.filter((each) => !isLeak(each));
  const revealed = shown.filter(({ place }) => place === 'output of token show --reveal at a terminal');

  expect(shown.filter((each) => !revealed.includes(each))).toEqual(
    ['secret key of the administrator', 'secret key of the operator'].map((canary) => ({
      canary,
      place: 'file local.json',
      form: 'raw',
    })),
  );
  expect(revealed.map(({ canary }) => canary)).toContain('revealed token');
});

it('a leak in every kind of place would be found', () => {
  const places = sightings.filter(isLeak).map(({ place }) => place.replace(/Logs[\w-]+$/, 'Logs'));

  expect([...new Set(places)].sort()).toEqual([
    'answer to leak in a record',
    'arguments of a process',
    'console /state',
    'dead letters of latchkey-staging-global',
    'environment of a process',
    'file cdk.out/leak',
    'file leak',
    'file temporary/leak',
    'file work/leak.json',
    'file work/leak.results.jsonl',
    'log group latchkey-staging-global-RestoreAccessLogs',
    'log group latchkey-staging-global-RestoreLogs',
    'output of leak by stderr',
    'output of leak by stdout',
    'printed',
    'sandbox /counters',
    'sandbox /requests',
  ]);
});
