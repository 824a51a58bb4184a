import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findCanaries, type Sighting, type VisibleText } from '../support/canaries';
import { CanaryRecorder, LEAK } from './support/canary-recorder';
import { runCommands } from './support/commands-scenario';
import { sendCredentials } from './support/credential-scenario';
import { consoleOf, deadLettersOf, filesOf, logsOf, processesOf, sandboxOf } from './support/visible-texts';

/**
 * Commands, callers and a faulty platform put credentials into every input, error and log of a running system. test/cli has what
 * each command says, and that no argument is shown.
 */
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

/** The kinds of sinks that these texts are of. @throws {Error} for a place of no kind */
function sinksOf(texts: readonly Pick<VisibleText, 'place'>[]): string[] {
  const sinks = texts.map(({ place }) => {
    const [sink] = SINKS.find(([, places]) => places.test(place)) ?? [];
    if (sink === undefined) throw new Error(`${place}: state of which kind this place is`);
    return sink;
  });
  return [...new Set(sinks)].sort();
}

let recorder: CanaryRecorder;
let texts: VisibleText[];
let sightings: Sighting[];

beforeAll(async () => {
  recorder = await CanaryRecorder.start();
  await runCommands(recorder);
  await sendCredentials(recorder);
  const { system, answers, canaries } = recorder;
  for (const file of ['leak', 'cdk.out/leak'])
    writeFileSync(join(system.process.stateDir, file), Buffer.from(`key:${LEAK}`).toString('base64'));
  texts = [
    { place: 'printed', text: system.process.output },
    ...(await logsOf(system)),
    ...answers,
    ...filesOf(system.process.stateDir),
    ...processesOf(system.process.pid),
    ...recorder.seen(),
    ...(await consoleOf(system)),
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

it('every planted credential was used where it was planted', () => {
  const outcomes = Object.entries(recorder.outcomes).filter(([name]) => !name.startsWith('leak by'));

  expect(Object.fromEntries(outcomes)).toEqual({
    'credentials put': 0,
    'api-key put': 0,
    'credentials put --revoke-previous': 0,
    'api-key put --replace': 0,
    'rollback --kind api-key --yes': 0,
    'credentials put --replace': 77,
    'token show --reveal at a terminal': 0,
    'restore --from ids.txt': 0,
    generate: 0,
    'generate at a terminal': 0,
    'put at a terminal': 0,
    'Ctrl-C in the prompt': 130,
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

it('a leak in every kind of place would be found', () => {
  const leaks = sightings.filter(isLeak);

  const places = new Set(leaks.map(({ place }) => place));

  expect(places.size).toBe(17);
  expect([...places]).toEqual(
    expect.arrayContaining([
      'printed',
      expect.stringMatching(/^log group latchkey-staging-global-RestoreAccessLogs/),
      expect.stringMatching(/^log group latchkey-staging-global-RestoreLogs/),
      'answer to leak in a record',
      'output of leak by stdout',
      'output of leak by stderr',
      'file leak',
      'file cdk.out/leak',
      'file temporary/leak',
      'file work/leak.json',
      'file work/leak.results.jsonl',
      'arguments of a process',
      'environment of a process',
      'console /state',
      'sandbox /requests',
      'sandbox /counters',
      'dead letters of latchkey-staging-global',
    ]),
  );
  expect(sinksOf(leaks)).toEqual(sinksOf(texts));
});
