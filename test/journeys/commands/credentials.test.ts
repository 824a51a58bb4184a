import { setTimeout } from 'node:timers/promises';

import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../contract/credential-labels';
import { type CredentialKind } from '../../../contract/secret-names';
import { type CommandResult, documentOf } from '../support/command';
import { basic } from '../support/journeys';
import { OperatedTenant } from '../support/operated-tenant';
import { descendants, startedWith } from '../support/processes';
import { RunningSystem } from '../support/running-system';

/**
 * Credentials are loaded, rotated, interrupted and repaired. Each test leaves valid credentials behind.
 * test/cli covers the command's answer to each input and failure, with doubles.
 */
let system: RunningSystem;
let tenant: OperatedTenant;
/** Without credentials. */
let newTenant: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.startPart(['latchkey-staging-global'], ['--no-job']);
  tenant = await OperatedTenant.loaded(system, 'staging', 'global');
  newTenant = new OperatedTenant(system, 'staging', 'global', 1);
});

afterAll(() => system.stop());

beforeEach(() => system.control('DELETE', '/faults'));

const everything = ({ stdout, stderr, visible }: CommandResult) => [stdout, stderr, ...visible].join('\n');

/** Stages a value without the proof that the command requires. */
async function stage(kind: CredentialKind, value: object): Promise<void> {
  await system.operator.secrets.send(
    new PutSecretValueCommand({
      SecretId: tenant.arn(kind),
      SecretString: JSON.stringify(value),
      VersionStages: [CANDIDATE_LABEL],
    }),
  );
}

it('proves the client credentials that a person enters, makes them current and gets a token of each scope', async () => {
  const { clientId, clientSecret } = await newTenant.newPair();

  const result = await newTenant.run('credentials put', {
    answers: [
      { after: /Client id/, type: `${clientId}\r` },
      { after: /Client secret/, type: `${clientSecret}\r` },
    ],
    watchProcesses: true,
  });

  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain('2 of 2 tokens stored');
  expect(everything(result)).not.toContain(clientSecret);
  expect(await newTenant.currentClientId()).toBe(clientId);
  expect(Object.keys(await newTenant.labels('client-credentials'))).toEqual(['AWSCURRENT']);
});

it('generates the first API key with a browser session, shows neither, and loads the key', async () => {
  const session = await newTenant.newSession();

  const result = await newTenant.run('api-key generate', {
    answers: [
      { after: /Authorization header/, type: `${session.authorization}\r` },
      { after: /X-Correlation-Id header/, type: `${session.correlationId}\r` },
    ],
    watchProcesses: true,
  });

  expect(result).toMatchObject({ exitCode: 0 });
  const { apiKey } = await newTenant.current<{ apiKey: string; validUntil: string }>('api-key');
  for (const secret of [apiKey, session.authorization.slice('Bearer '.length), session.correlationId]) {
    expect(everything(result)).not.toContain(secret);
  }
  expect(Object.keys(await newTenant.labels('api-key'))).toEqual(['AWSCURRENT']);
});

it('rotates to client credentials from a pipe, and prints one JSON document', async () => {
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
  expect(await tenant.currentClientId()).toBe(pair.clientId);
  expect(everything(result)).not.toContain(pair.clientSecret);
});

const CANARY = 'canary-pQ3xZ8';

it.each([
  ['credentials put', `{"clientId":"${CANARY}`, 2, /standard input: found/],
  ['credentials put', JSON.stringify({ clientId: CANARY, clientSecret: CANARY }), 77, /refuses the client-/],
  [`credentials put --client-secret ${CANARY}`, '', 64, /replace it/],
  ['credentials rotate', '', 1, /no new client-credentials or api-key is staged/],
  ['status --watch', '', 2, /--watch: found no terminal/],
])('refuses %s with %j (%d), and does nothing', async (words, input, exitCode, says) => {
  const before = await tenant.labels('client-credentials');

  const result = await tenant.run(`${words} --json`, { input });

  expect(result).toMatchObject({ exitCode });
  expect(result.stderr).toMatch(says);
  expect(documentOf(result)).toMatchObject({ error: { message: expect.any(String) as string } });
  expect(`${result.stdout}${result.stderr}`).not.toContain(CANARY);
  expect(await tenant.labels('client-credentials')).toEqual(before);
});

it('retries through a short outage of the platform', async () => {
  await tenant.fail('token', { status: 503, times: 2 });

  const result = await tenant.give('credentials put --json', await tenant.newPair());

  expect(result).toMatchObject({ exitCode: 0 });
  expect(documentOf(result)).toMatchObject({ outcome: 'promoted' });
});

it('never promotes a credential that the platform refuses, and accepts the next valid one', async () => {
  const { AWSCURRENT: current } = await tenant.labels('client-credentials');
  await stage('client-credentials', { clientId: 'unknown', clientSecret: 'unknown' });

  const refused = await tenant.run('credentials rotate --json');

  expect(refused).toMatchObject({ exitCode: 77 });
  expect(documentOf(refused)).toMatchObject({ error: { code: 'candidate_refused' } });
  expect(await tenant.labels('client-credentials')).toMatchObject({ AWSCURRENT: current });
  const pair = await tenant.newPair();
  expect(await tenant.give('credentials put', pair)).toMatchObject({ exitCode: 0 });
  expect(await tenant.currentClientId()).toBe(pair.clientId);
  expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
});

it('rolls back to the previous credential, which the platform must still accept', async () => {
  const before = await tenant.currentClientId();
  expect(await tenant.give('credentials put', await tenant.newPair())).toMatchObject({ exitCode: 0 });

  const back = await tenant.run('rollback --kind client-credentials --yes --json');

  expect(back).toMatchObject({ exitCode: 0 });
  expect(await tenant.currentClientId()).toBe(before);
});

it('lets the restore API accept the previous API key during its grace, until it is revoked', async () => {
  const { apiKey } = await tenant.current<{ apiKey: string; validUntil: string }>('api-key');
  const old = basic(tenant.place.tenant, apiKey);
  expect(await tenant.give('api-key put', await tenant.newKey())).toMatchObject({ exitCode: 0 });
  expect(await tenant.restoreStatus(old)).not.toBe(401);

  const revoked = await tenant.run('credentials revoke-previous --kind api-key --json');

  expect(revoked).toMatchObject({ exitCode: 0 });
  expect(documentOf(revoked)).toMatchObject({ outcome: 'revoked', credential: 'api-key' });
  // The authorizer caches credentials for 10 s.
  await system.advance(10);
  expect(await tenant.restoreStatus(old)).toBe(401);
  expect(await tenant.run('rollback --kind api-key')).toMatchObject({ exitCode: 1 });
});

it('finishes with one more command after rotate-credentials was killed midway', async () => {
  const pair = await tenant.newPair();
  await stage('client-credentials', pair);
  await tenant.fail('token', { delayMs: 1_000, times: 1 });

  const rotating = tenant.run('credentials rotate', {
    meanwhile: { after: /Rotating: rotate-credentials/, act: killRotateCredentials },
  });

  expect([0, 69, 75]).toContain((await rotating).exitCode);
  // Secrets Manager may have completed the rotation by now, which leaves nothing to promote.
  expect([0, 1]).toContain((await tenant.run('credentials rotate')).exitCode);
  expect(await tenant.currentClientId()).toBe(pair.clientId);
  const labels = await tenant.labels('client-credentials');
  expect(labels).not.toHaveProperty(CANDIDATE_LABEL);
});

it('clears a refused rotation with doctor --fix', async () => {
  await stage('client-credentials', { clientId: 'unknown', clientSecret: 'unknown' });
  await tenant.run('credentials rotate');
  await tenant.run('token refresh --all');
  const seen = documentOf<{ findings: { kind: string }[] }>(await tenant.run('status --json'));
  expect(seen.findings.map(({ kind }) => kind)).toContain('candidate_refused');

  const fixed = await tenant.run('doctor --fix --yes --json');

  expect(documentOf<{ findings: unknown[] }>(fixed)).toMatchObject({ findings: [] });
  expect(fixed).toMatchObject({ exitCode: 0 });
  const labels = Object.keys(await tenant.labels('client-credentials'));
  expect(labels.sort()).toEqual(expect.arrayContaining(['AWSCURRENT']));
  expect(labels).not.toContain('AWSPENDING');
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('leaves the rotation running after %s', async (name) => {
  const pair = await tenant.newPair();
  // The signal must arrive before the rotation has ended, also on a slow machine.
  await tenant.fail('token', { delayMs: 3_000, times: 1 });

  const result = await tenant.give('credentials put --prove-by function --json', pair, {
    signal: { after: /Rotating: rotate-credentials/, name },
  });

  expect(result).toMatchObject({ exitCode: 75 });
  expect(documentOf(result)).toMatchObject({ error: { code: 'rotation_unfinished' } });
  // The credential may be staged or already promoted: both are correct, and the advised command handles
  // both.
  expect([0, 1]).toContain((await tenant.run('credentials rotate')).exitCode);
  expect(await tenant.currentClientId()).toBe(pair.clientId);
  expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
});

it('can be killed at any of its steps, and one more run completes the work', async () => {
  for (const after of [
    /Testing the/,
    /The platform accepts/,
    /Starting the rotation/,
    /Rotating: rotate-credentials/,
  ]) {
    const killed = await tenant.give('credentials put', await tenant.newPair(), {
      signal: { after, name: 'SIGKILL' },
    });
    // On a slow machine, the command may end before the signal arrives.
    expect([null, 0]).toContain(killed.exitCode);
    const pair = await tenant.newPair();

    const result = await tenant.give('credentials put --replace', pair);

    expect(result).toMatchObject({ exitCode: 0 });
    expect(await tenant.currentClientId()).toBe(pair.clientId);
    expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
  }
});

it('promotes a credential of two loaded at the same time, and reports a conflict to a command that loses', async () => {
  const pairs = [await tenant.newPair(), await tenant.newPair()];

  const results = await Promise.all(pairs.map((pair) => tenant.give('credentials put --json', pair)));

  // On a slow machine, one command may begin after the other has ended: then both are right to succeed.
  const promoted = pairs.filter((_, index) => results[index]!.exitCode === 0);
  expect(promoted.map(({ clientId }) => clientId)).toContain(await tenant.currentClientId());
  for (const lost of results.filter(({ exitCode }) => exitCode !== 0)) {
    expect(lost.exitCode).toBe(1);
    expect(documentOf<{ error: { code: string } }>(lost).error.code).toMatch(
      /^(candidate_under_way|changed_meanwhile|candidate_replaced)$/,
    );
  }
  expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
});

it('lets two simultaneous repairs both succeed', async () => {
  const results = await Promise.all([1, 2].map(() => tenant.run('doctor --fix --yes --json')));

  for (const result of results) {
    expect(result).toMatchObject({ exitCode: 0 });
    expect(documentOf(result)).toMatchObject({ findings: [] });
  }
});

it('loads credentials after a scheduled rotation found no candidate', async () => {
  const later = await RunningSystem.startPart(['latchkey-production-global'], ['--no-job']);
  try {
    const other = new OperatedTenant(later, 'production', 'global');
    await later.advance(100 * 24 * 60 * 60);
    const empty = await other.labels('client-credentials');

    const result = await other.give('credentials put', await other.newPair());

    expect(empty).toEqual({});
    expect(result).toMatchObject({ exitCode: 0 });
    expect(Object.keys(await other.labels('client-credentials'))).toEqual(['AWSCURRENT']);
  } finally {
    await later.stop();
  }
});

/** Kills the busy process of rotate-credentials, as a failing Lambda host would. */
async function killRotateCredentials(): Promise<void> {
  for (let look = 0; look < 500; look += 1) {
    const ids = descendants(system.process.pid).filter((pid) =>
      startedWith(pid).environment.AWS_LAMBDA_FUNCTION_NAME?.includes('RotateCredential'),
    );
    for (const pid of ids) process.kill(pid, 'SIGKILL');
    if (ids.length > 0) return;
    await setTimeout(20);
  }
  throw new Error('rotate-credentials did not run');
}
