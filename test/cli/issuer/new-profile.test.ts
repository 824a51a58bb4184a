import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { newProfile } from '../../../cli/issuer/new-profile';
import { readIssuerProfile } from '../../../cli/issuer/read-profile';
import { issuerProfileJsonSchema } from '../../../lib/options/issuer-profile-settings';
import { FakeTerminal } from '../support/fake-terminal';
import { failureOf, OperatedSystem } from '../support/operated-system';
import { newFolder } from '../../support/new-folder';

let folder: string;
beforeEach(() => (folder = newFolder()));

const ask = (answers: (string | boolean)[]) => {
  const terminal = new FakeTerminal({ isInteractive: true, answers });
  return { terminal, done: newProfile(new OperatedSystem().context(terminal)) };
};

const AUDIENCE = [
  ...['example', 'Example', 'https://{host}/oauth/{realm}/token', 'json', 'body', 'client_id', 'secret'],
  ...['client_credentials', true, 'scope', 'comma', 'audience={audience}', ''],
  ...['The host.', 'The realm.', 'The API.'],
  ...['data.token', '-', 'expires_in', '7200', true],
];

test('asks its way to a profile, and names the command that tries it', async () => {
  const file = join(folder, 'example.json');

  const { terminal, done } = ask([...AUDIENCE, file]);

  expect(await done).toBe(0);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    $schema: './issuer.schema.json',
    name: 'example',
    title: 'Example',
    parameters: {
      host: { description: 'The host.' },
      realm: { description: 'The realm.' },
      audience: { description: 'The API.' },
    },
    tokenEndpoint: { bases: [{ url: 'https://{host}' }], path: '/oauth/{realm}/token' },
    request: {
      body: 'json',
      fields: {
        grant_type: 'client_credentials',
        scope: '{scope}',
        audience: '{audience}',
        client_id: '{clientId}',
        secret: '{clientSecret}',
      },
      scopeSeparator: ',',
    },
    answer: { accessToken: 'data.token', tokenType: false, lifetimeSec: 7200, sameTokenUntilSec: 0 },
  });
  expect(readFileSync(join(folder, 'issuer.schema.json'), 'utf8')).toBe(issuerProfileJsonSchema());
  expect(readIssuerProfile(file).title).toBe('Example');
  expect(terminal.results[0]!.text).toMatch(new RegExp(`Next: latchkey issuer test ${file}$`));
});

test('the usual answers are a profile as RFC 6749 has it', async () => {
  const file = join(folder, 'plain.json');

  const { done } = ask([
    ...[
      'plain',
      'Plain',
      'https://auth.example.com/token',
      'form',
      'header',
      'client_credentials',
      false,
      '',
    ],
    ...['access_token', 'token_type', 'expires_in', '3600', false, file],
  ]);

  expect(await done).toBe(0);
  expect(readIssuerProfile(file)).toMatchObject({
    request: { clientAuthentication: 'client_secret_basic', fields: { grant_type: 'client_credentials' } },
    answer: { lifetimeSec: 3600 },
  });
});

test('writes nothing over a file, of an invalid profile, and without somebody to ask', async () => {
  const file = join(folder, 'example.json');
  writeFileSync(file, 'mine');
  const invalid = AUDIENCE.with(-2, '100');

  const failures = [
    await failureOf(ask([...AUDIENCE, file]).done),
    await failureOf(ask([...invalid, join(folder, 'new.json')]).done),
    await failureOf(newProfile(new OperatedSystem().context(new FakeTerminal()))),
  ];

  expect(failures.map(({ exitCode }) => exitCode)).toEqual([1, 2, 2]);
  expect(failures[1]!.message).toBe(
    'answer.lifetimeSec: found 100; allowed: whole seconds from 900 to 7776000\nnothing was written',
  );
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(existsSync(join(folder, 'issuer.schema.json'))).toBe(false);
});
