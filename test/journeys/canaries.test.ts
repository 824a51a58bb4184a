import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findCanaries, formsOf, type VisibleText } from '../support/canaries';
import { type CanaryRecorder } from './support/canary-recorder';
import { countSinks, printCanaryReport } from './support/canary-report';
import { LEAK, runWithCredentials } from './support/credential-scenario';
import { consoleOf, deadLettersOf, filesOf, logsOf, processesOf, sandboxOf } from './support/visible-texts';

/** Contains characters that every encoding writes differently. */
const VALUE = `${randomBytes(9).toString('base64url')}"/ü+& =`;
const canary = { name: 'canary', value: VALUE };

describe('the search for canaries', () => {
  const found = (text: string) => findCanaries([canary], [{ place: 'here', text }]);

  it.each<[string, (value: string) => string]>([
    ['as it is', (value) => `key ${value}.`],
    ['cut after 10 characters', (value) => `Unexpected token, "${value.slice(0, 10)}"... is not valid JSON`],
    ['in JSON', (value) => JSON.stringify({ value })],
    ['in JSON within a JSON log line', (value) => JSON.stringify({ body: JSON.stringify({ value }) })],
    ['in JSON of ASCII', (value) => JSON.stringify({ value }).replaceAll('ü', '\\u00fc')],
    ['in hexadecimal digits', (value) => `id-${Buffer.from(value).toString('hex')}`],
    ['in an id of 24 hexadecimal digits', (value) => Buffer.from(value).toString('hex').slice(0, 24)],
    ['in HTML', (value) => `<td>${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</td>`],
    ['backwards', (value) => [...value].reverse().join('')],
    ['in a path', (value) => `/contents/${encodeURIComponent(value)}/restore`],
    ['in a form', (value) => new URLSearchParams({ grant: 'a b', value }).toString()],
    ...['', 'a', 'ab', 'abc', 'tenant:'].flatMap((before) =>
      (['base64', 'base64url'] as const).map(
        (encoding) =>
          [
            `in ${encoding} after "${before}"`,
            (value: string) => Buffer.from(`${before}${value}:after`).toString(encoding),
          ] as [string, (value: string) => string],
      ),
    ),
  ])('finds one %s', (_, write) => {
    expect(found(write(VALUE))).toEqual([expect.objectContaining({ canary: 'canary', place: 'here' })]);
    expect(found(write('something else that is as long'))).toEqual([]);
  });

  it('ignores encoded forms that are too short to be unique', () => {
    const lengths = [...formsOf(VALUE).values()].map(({ length }) => length);

    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(8);
  });
});

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
    const leaks = { planted: countSinks(texts).size, found: countSinks(sightings).size };
    printCanaryReport({ where: 'a running system', canaries: scenario.canaries, texts, leaks });

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
