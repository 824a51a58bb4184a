import { documentOf, runLatchkey } from '../support/command';
import { OperatedTenant } from '../support/operated-tenant';
import { RunningSystem } from '../support/running-system';

/** The platform or AWS is down: nothing is half done, and the exit code says which it is. */
let system: RunningSystem;
let tenant: OperatedTenant;

beforeAll(async () => {
  system = await RunningSystem.start(['--no-job']);
  tenant = await OperatedTenant.loaded(system, 'staging', 'global');
});

afterAll(() => system.stop());

beforeEach(() => system.control('DELETE', '/faults'));

const codeOf = (result: Parameters<typeof documentOf>[0]) =>
  documentOf<{ error: { code: string } }>(result).error.code;

it.each([
  ['credentials put', 'client-credentials', 'token'],
  ['api-key put', 'api-key', 'content'],
] as const)('writes nothing when the platform cannot prove what %s is given', async (words, kind, target) => {
  const before = await tenant.labels(kind);
  await tenant.fail(target, { status: 501 });

  const result = await tenant.give(
    `${words} --json`,
    kind === 'api-key' ? await tenant.newKey() : await tenant.newPair(),
  );

  expect(result).toMatchObject({ exitCode: 69 });
  expect(codeOf(result)).toBe('could_not_test');
  expect(await tenant.labels(kind)).toEqual(before);
});

it('bridges an outage of the platform that is short', async () => {
  await tenant.fail('token', { status: 503, times: 2 });

  const result = await tenant.give('credentials put --json', await tenant.newPair());

  expect(result).toMatchObject({ exitCode: 0 });
  expect(documentOf(result)).toMatchObject({ outcome: 'promoted' });
});

it.each([
  ['is busy', { status: 429 }, 69, 'tenant_service_unavailable'],
  ['fails', { status: 503 }, 75, 'generation_unknown'],
  ['breaks the connection before it has done anything', { reset: 'before' }, 75, 'generation_unknown'],
  ['breaks the connection after the key was made', { reset: 'after' }, 75, 'generation_unknown'],
  ['answers nonsense', { status: 200, body: '<html>' }, 75, 'generation_unknown'],
  ['answers an error with status 200', { body: { errors: [{ message: 'no' }] } }, 1, 'not_generated'],
] as const)('keeps the current API key when the tenant service %s', async (_, fault, exitCode, code) => {
  const before = await tenant.labels('api-key');
  await tenant.fail('tenants', { ...fault, times: 1 });

  const result = await tenant.give('api-key generate --json', await tenant.newSession());

  expect(result).toMatchObject({ exitCode });
  expect(codeOf(result)).toBe(code);
  expect(await tenant.labels('api-key')).toEqual(before);
});

it('stores a generated key that the platform cannot prove, and promotes it with one more command', async () => {
  const { AWSCURRENT: current } = await tenant.labels('api-key');
  await tenant.fail('content', { status: 501 });

  const generated = await tenant.give('api-key generate --json', await tenant.newSession());
  expect(generated).toMatchObject({ exitCode: 69 });
  const staged = await tenant.labels('api-key');
  expect(staged).toMatchObject({ AWSCURRENT: current, LATCHKEY_CANDIDATE: expect.any(String) as string });

  await system.control('DELETE', '/faults');
  expect(await tenant.run('credentials rotate')).toMatchObject({ exitCode: 0 });
  expect((await tenant.labels('api-key')).AWSPREVIOUS).toBe(current);
});

it('says that a session has ended, or is none of an administrator', async () => {
  for (const session of [
    await tenant.newSession({ administrator: false }),
    { ...(await tenant.newSession()), correlationId: 'another' },
  ]) {
    const result = await tenant.give('api-key generate --json', session);

    expect(result).toMatchObject({ exitCode: 77 });
    expect(codeOf(result)).toBe('session_refused');
  }
});

it('tells the failure of the platform from a refused credential when tokens are asked for', async () => {
  await tenant.fail('token', { status: 503 });
  await system.advance(50 * 60);
  const words = 'token refresh --interface content --scope api/read --json';

  const unavailable = await tenant.run(words);

  expect(unavailable).toMatchObject({ exitCode: 69 });
  expect(documentOf(unavailable)).toMatchObject({ tokens: [{ ok: false }] });
});

// The last one: nothing can be asked of this system afterwards.
it('says that the laptop system is gone', async () => {
  const { stateDir } = system.process;
  await system.stop();

  const results = await Promise.all(
    ['status', 'doctor', 'credentials rotate', 'token show'].map((words) =>
      runLatchkey([...words.split(' '), '--json', '--local', '--state-dir', stateDir]),
    ),
  );

  for (const result of results) {
    expect(result).toMatchObject({ exitCode: 69 });
    expect(codeOf(result)).toBe('not_running');
  }
});
