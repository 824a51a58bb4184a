import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

import { type TokenValue } from '../../../contract/secret-values';
import { COMMAND, documentOf } from '../support/command';
import { OperatedTenant } from '../support/operated-tenant';
import { RunningSystem } from '../support/running-system';

/** status, doctor, token show and token refresh: on an empty system, a healthy one, and one with faults. */
let system: RunningSystem;
let tenant: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.start(['--no-job']);
  tenant = new OperatedTenant(system, 'staging', 'global', 1);
});

afterAll(() => system.stop());

beforeEach(() => system.control('DELETE', '/faults'));

const READ = '--interface content --scope api/read';

interface Findings {
  findings: { kind: string; severity: string; repair: { command: string } }[];
}

it('reports nothing wrong before credentials are loaded, and has no token to show', async () => {
  const [status, doctor, show, refresh] = await Promise.all([
    tenant.run('status --json'),
    tenant.run('doctor --json'),
    tenant.run(`token show ${READ} --json`),
    tenant.run(`token refresh ${READ} --json`),
  ]);

  expect(status).toMatchObject({ exitCode: 0, stderr: '' });
  const { findings } = documentOf<Findings>(status);
  expect(new Set(findings.map(({ kind }) => kind))).toEqual(new Set(['never_loaded']));
  expect(doctor).toMatchObject({ exitCode: 0 });
  expect(show).toMatchObject({ exitCode: 1 });
  expect(documentOf(show)).toMatchObject({ error: { code: 'no_token' } });
  expect(refresh).toMatchObject({ exitCode: 1 });
});

it('shows a healthy deployment with all its tokens', async () => {
  await tenant.give('credentials put', await tenant.newPair());
  await tenant.give('api-key put', await tenant.newKey());

  const [status, doctor, show] = await Promise.all([
    tenant.run('status --json'),
    tenant.run('doctor --json'),
    tenant.run(`token show ${READ} --json`),
  ]);

  expect(status).toMatchObject({ exitCode: 0, stderr: '' });
  expect(documentOf(status)).toMatchObject({ findings: [] });
  expect(doctor).toMatchObject({ exitCode: 0 });
  expect(documentOf(show)).toMatchObject({ scope: 'api/read', isOfCurrentCredential: true });
  const { accessToken } = await system.secret<TokenValue>(tenant.place.tenant.tokens[0]!.arn);
  expect(`${status.stdout}${doctor.stdout}${show.stdout}`).not.toContain(accessToken);
});

it('exits with 1 if it cannot write its output', async () => {
  const full = openSync('/dev/full', 'w');
  const args = [COMMAND, 'status', '--json', '--local', '--state-dir', system.process.stateDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', full, 'ignore'] });

  const exitCode = await new Promise((resolve) => child.once('close', resolve));
  closeSync(full);

  expect(exitCode).toBe(1);
});

it('refreshes tokens that are due, and reports the others as valid', async () => {
  const good = await tenant.run('token refresh --all --json');
  await system.control('DELETE', '/faults');

  expect(good).toMatchObject({ exitCode: 0 });
  expect(documentOf(good)).toMatchObject({ tokens: [{ ok: true, refreshed: false }, { ok: true }] });
});

it('reports a credential that the platform has revoked, with the cause and the command that fixes it', async () => {
  const { clientId } = await tenant.current<{ clientId: string; clientSecret: string }>('client-credentials');
  await system.control('DELETE', '/credentials', { clientId });
  await system.advance(50 * 60);

  const doctor = await tenant.run('doctor --json');

  expect(doctor).toMatchObject({ exitCode: 1 });
  const { findings } = documentOf<Findings>(doctor);
  const refused = findings.find(({ kind }) => kind === 'credential_refused');
  expect(refused).toMatchObject({
    severity: 'critical',
    repair: { command: expect.stringContaining('latchkey credentials put --environment staging') as string },
  });
  expect(await tenant.run(`token refresh ${READ}`)).toMatchObject({ exitCode: 77 });

  expect(await tenant.give('credentials put', await tenant.newPair())).toMatchObject({ exitCode: 0 });
  expect(await tenant.run('doctor --fix --yes --json')).toMatchObject({ exitCode: 0 });
  // The alarm on the refusal looks back over 10 min, evaluated every minute.
  await system.advance(11 * 60);
  expect(await tenant.run('status')).toMatchObject({ exitCode: 0 });
});

it('applies at a terminal the fix that the person confirms', async () => {
  await tenant.fail('token', { status: 501 });
  await system.advance(50 * 60);
  await system.control('DELETE', '/faults');

  const result = await tenant.run('doctor --fix', {
    answers: [{ after: /Apply this fix\?|Apply these \d+ fixes\?/, type: 'y' }],
  });

  expect(result).toMatchObject({ exitCode: 0 });
  // The alarm on tokens looks back over 10 min.
  await system.advance(11 * 60);
  expect(await tenant.run('status')).toMatchObject({ exitCode: 0 });
});
