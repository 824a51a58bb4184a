import { setTimeout } from 'node:timers/promises';

import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../contract/credential-labels';
import { type CredentialKind } from '../../../contract/secret-names';
import { documentOf } from '../support/command';
import { basic } from '../support/journeys';
import { OperatedTenant } from '../support/operated-tenant';
import { descendants, startedWith } from '../support/processes';
import { RunningSystem } from '../support/running-system';

/** What can become of a rotation, and how the command mends it. Each test has credentials of its own or leaves good ones. */
let system: RunningSystem;
let tenant: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.start(['--no-job']);
  tenant = await OperatedTenant.loaded(system, 'staging', 'global');
});

afterAll(() => system.stop());

beforeEach(() => system.control('DELETE', '/faults'));

/** Stages a value as the command does, without its proof. */
async function stage(kind: CredentialKind, value: object): Promise<void> {
  await system.operator.secrets.send(
    new PutSecretValueCommand({
      SecretId: tenant.arn(kind),
      SecretString: JSON.stringify(value),
      VersionStages: [CANDIDATE_LABEL],
    }),
  );
}

it('never promotes what the platform refuses, and takes the next good one', async () => {
  const { AWSCURRENT: current } = await tenant.labels('client-credentials');
  await stage('client-credentials', { clientId: 'unknown', clientSecret: 'unknown' });

  const refused = await tenant.run('credentials rotate --json');

  expect(refused).toMatchObject({ exitCode: 77 });
  expect(documentOf(refused)).toMatchObject({ error: { code: 'candidate_refused' } });
  expect(await tenant.labels('client-credentials')).toMatchObject({ AWSCURRENT: current });
  const pair = await tenant.newPair();
  expect(await tenant.give('credentials put', pair)).toMatchObject({ exitCode: 0 });
  expect(await tenant.current('client-credentials')).toEqual(pair);
  expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
});

it('keeps what could not be tested staged, and promotes it once the platform answers', async () => {
  const { AWSCURRENT: current } = await tenant.labels('client-credentials');
  const pair = await tenant.newPair();
  await stage('client-credentials', pair);
  await tenant.fail('token', { status: 501 });

  const untested = await tenant.run('credentials rotate --json');
  expect(untested).toMatchObject({ exitCode: 69 });
  expect(documentOf(untested)).toMatchObject({ error: { code: 'could_not_test' } });
  expect(await tenant.labels('client-credentials')).toMatchObject({ AWSCURRENT: current });

  await system.control('DELETE', '/faults');
  // Secrets Manager may have tried again by itself meanwhile, and then nothing is left to promote.
  expect([0, 1]).toContain((await tenant.run('credentials rotate')).exitCode);
  expect(await tenant.current('client-credentials')).toEqual(pair);
});

it('goes back to the credential before, which the platform has to accept', async () => {
  const before = await tenant.current('client-credentials');
  expect(await tenant.give('credentials put', await tenant.newPair())).toMatchObject({ exitCode: 0 });

  const back = await tenant.run('rollback --kind client-credentials --yes --json');

  expect(back).toMatchObject({ exitCode: 0 });
  expect(await tenant.current('client-credentials')).toEqual(before);
});

it('does not go back to a credential that the platform has revoked', async () => {
  const { clientId } = await tenant.current<{ clientId: string; clientSecret: string }>('client-credentials');
  const pair = await tenant.newPair();
  expect(await tenant.give('credentials put', pair)).toMatchObject({ exitCode: 0 });
  await system.control('DELETE', '/credentials', { clientId });

  const back = await tenant.run('rollback --kind client-credentials --json');

  expect(back).toMatchObject({ exitCode: 77 });
  expect(documentOf(back)).toMatchObject({ error: { code: 'previous_refused' } });
  expect(await tenant.current('client-credentials')).toEqual(pair);
  expect(await tenant.labels('client-credentials')).not.toHaveProperty(CANDIDATE_LABEL);
  expect(await tenant.give('credentials put', await tenant.newPair())).toMatchObject({ exitCode: 0 });
});

it('has the restore API accept the API key before during its grace, and no longer once it is revoked', async () => {
  const { apiKey } = await tenant.current<{ apiKey: string; validUntil: string }>('api-key');
  const old = basic(tenant.place.tenant, apiKey);
  expect(await tenant.give('api-key put', await tenant.newKey())).toMatchObject({ exitCode: 0 });
  expect(await tenant.restoreStatus(old)).not.toBe(401);

  const revoked = await tenant.run('credentials revoke-previous --kind api-key --json');

  expect(revoked).toMatchObject({ exitCode: 0 });
  expect(documentOf(revoked)).toMatchObject({ outcome: 'revoked', credential: 'api-key' });
  // The authorizer believes what it has looked up for 10 s.
  await system.advance(10);
  expect(await tenant.restoreStatus(old)).toBe(401);
  expect(await tenant.run('rollback --kind api-key')).toMatchObject({ exitCode: 1 });
});

it('is asked for consent at a terminal, and does nothing without it', async () => {
  expect(await tenant.give('api-key put', await tenant.newKey())).toMatchObject({ exitCode: 0 });
  const before = await tenant.labels('api-key');

  const declined = await tenant.run('rollback --kind api-key', {
    answers: [{ after: /Go back to the previous api-key/, type: 'n' }],
  });

  expect(declined).toMatchObject({ exitCode: 1 });
  expect(declined.stdout).toContain('nothing was changed');
  expect(await tenant.labels('api-key')).toEqual(before);
});

it('is mended by one more command after rotate-credentials was killed in the middle', async () => {
  const pair = await tenant.newPair();
  await stage('client-credentials', pair);
  await tenant.fail('token', { delayMs: 1_000, times: 1 });

  const rotating = tenant.run('credentials rotate', {
    meanwhile: { after: /Secrets Manager rotates/, act: killRotateCredentials },
  });

  expect([0, 69, 75]).toContain((await rotating).exitCode);
  // Secrets Manager may have ended it meanwhile, and then there is nothing left to promote.
  expect([0, 1]).toContain((await tenant.run('credentials rotate')).exitCode);
  expect(await tenant.current('client-credentials')).toEqual(pair);
  const labels = await tenant.labels('client-credentials');
  expect(labels).not.toHaveProperty(CANDIDATE_LABEL);
});

it('repairs with doctor --fix what a refused rotation has left', async () => {
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

/** As when Lambda's host fails: the process of rotate-credentials that is at work. */
async function killRotateCredentials(): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    const ids = descendants(system.process.pid).filter((pid) =>
      startedWith(pid).environment.AWS_LAMBDA_FUNCTION_NAME?.includes('RotateCredential'),
    );
    for (const pid of ids) process.kill(pid, 'SIGKILL');
    if (ids.length > 0) return;
    await setTimeout(20);
  }
  throw new Error('rotate-credentials did not run');
}
