import { type CommandResult, documentOf } from '../support/command';
import { OperatedTenant } from '../support/operated-tenant';
import { RunningSystem } from '../support/running-system';

/** Loading credentials, with good input. */
let system: RunningSystem;
let tenant: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.start(['--no-job']);
  tenant = new OperatedTenant(system, 'staging', 'global');
});

afterAll(() => system.stop());

const everything = ({ stdout, stderr, visible }: CommandResult) => [stdout, stderr, ...visible].join('\n');

it('has client credentials proved and made current, with a token of each scope, by a person at a terminal', async () => {
  const { clientId, clientSecret } = await tenant.newPair();

  const result = await tenant.run('credentials put', {
    answers: [
      { after: /Client id/, type: `${clientId}\r` },
      { after: /Client secret/, type: `${clientSecret}\r` },
    ],
    watchProcesses: true,
  });

  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain('3 of 3 tokens are there');
  expect(everything(result)).not.toContain(clientSecret);
  expect(await tenant.current('client-credentials')).toEqual({ clientId, clientSecret });
  expect(Object.keys(await tenant.labels('client-credentials'))).toEqual(['AWSCURRENT']);
});

it('rotates to other client credentials out of a pipe, and answers one JSON document', async () => {
  const pair = await tenant.newPair();
  const { AWSCURRENT: before } = await tenant.labels('client-credentials');

  const result = await tenant.give('credentials put --json', pair, { watchProcesses: true });

  expect(result).toMatchObject({ exitCode: 0 });
  const document = documentOf<{ outcome: string; versionId: string }>(result);
  expect(document).toMatchObject({ outcome: 'promoted', previous: { versionId: before, fate: 'kept' } });
  expect(await tenant.labels('client-credentials')).toMatchObject({
    AWSCURRENT: document.versionId,
    AWSPREVIOUS: before,
  });
  expect(await tenant.labels('client-credentials')).not.toHaveProperty('LATCHKEY_CANDIDATE');
  expect(await tenant.current('client-credentials')).toEqual(pair);
  expect(everything(result)).not.toContain(pair.clientSecret);
});

it('generates the first API key in a session, shows neither, and loads it', async () => {
  const session = await tenant.newSession();

  const result = await tenant.run('api-key generate', {
    answers: [
      { after: /Authorization, with/, type: `${session.authorization}\r` },
      { after: /X-Correlation-Id \(not shown\)/, type: `${session.correlationId}\r` },
    ],
    watchProcesses: true,
  });

  expect(result).toMatchObject({ exitCode: 0 });
  const { apiKey } = await tenant.current<{ apiKey: string; validUntil: string }>('api-key');
  for (const secret of [apiKey, session.authorization.slice('Bearer '.length), session.correlationId]) {
    expect(everything(result)).not.toContain(secret);
  }
  expect(Object.keys(await tenant.labels('api-key'))).toEqual(['AWSCURRENT']);
});

it('generates another API key, which may lag behind, and keeps the one before for its grace', async () => {
  const { AWSCURRENT: before } = await tenant.labels('api-key');
  await system.control('POST', '/key-lag', { sec: 3 });

  const result = await tenant.give('api-key generate --json', await tenant.newSession());

  await system.control('POST', '/key-lag', { sec: 0 });
  expect(result).toMatchObject({ exitCode: 0 });
  expect(documentOf(result)).toMatchObject({ outcome: 'promoted', previous: { versionId: before } });
  expect(await tenant.labels('api-key')).not.toHaveProperty('LATCHKEY_CANDIDATE');
});

it('loads an API key that somebody else generated, by a person at a terminal', async () => {
  const { apiKey, validUntil } = await tenant.newKey();

  const result = await tenant.run('api-key put', {
    answers: [
      { after: /API key \(not shown\)/, type: `${apiKey}\r` },
      { after: /Valid until/, type: `${validUntil}\r` },
    ],
  });

  expect(result).toMatchObject({ exitCode: 0 });
  expect(everything(result)).not.toContain(apiKey);
  expect(await tenant.current('api-key')).toEqual({ apiKey, validUntil: new Date(validUntil).toISOString() });
});

it('revokes the credential that was replaced where it was told to', async () => {
  const result = await tenant.give('credentials put --revoke-previous --json', await tenant.newPair());

  expect(documentOf(result)).toMatchObject({ outcome: 'promoted', previous: { fate: 'revoked' } });
  expect(await tenant.labels('client-credentials')).not.toHaveProperty('AWSPREVIOUS');
});

it.each([
  ['credentials put', 'client-credentials'],
  ['api-key generate', 'api-key'],
] as const)('lets %s load after the schedule has fired with nothing to rotate', async (words, kind) => {
  const other = new OperatedTenant(system, 'production', 'global');
  if (words === 'credentials put') await system.advance(100 * 24 * 60 * 60);
  expect(await other.labels(kind)).toHaveProperty('AWSPENDING');
  expect(await other.labels(kind)).not.toHaveProperty('AWSCURRENT');

  const given = words === 'credentials put' ? other.newPair() : other.newSession();
  const result = await other.give(words, await given);

  expect(result).toMatchObject({ exitCode: 0 });
  expect(Object.keys(await other.labels(kind))).toEqual(['AWSCURRENT']);
});
