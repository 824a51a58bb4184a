import { type CredentialSnapshot, type TokenSnapshot } from '../../../core/deployment/deployment-snapshot';
import { type TokenType } from '../../../core/deployment/platform';
import { type CredentialKind } from '../../../core/secrets/secret-names';
import { type TenantKey } from '../../../core/tokens/token-key';
import { type SnapshotPorts, takeSnapshot } from '../../../lambdas/credential-watch/take-snapshot';
import { type SecretInspector } from '../../../lambdas/shared/ports';
import { credential, token } from '../../core/findings/snapshots';
import { deploymentOf } from '../../support/lambdas/token-functions';
import { NOON_MS, VirtualClock } from '../../support/lambdas/virtual-clock';

/** Secrets without any problem, with a delay for each inspection. */
class TimedInspector implements SecretInspector {
  readonly running = { credentials: 0, tokens: 0 };
  readonly maxAtOnce = { credentials: 0, tokens: 0 };
  readonly timeoutsMs: number[] = [];
  private readonly clock: VirtualClock;
  private readonly lookMs: number;

  constructor(clock: VirtualClock, lookMs = 100) {
    this.clock = clock;
    this.lookMs = lookMs;
  }

  credential(_: TenantKey, kind: CredentialKind, timeoutMs: number): Promise<CredentialSnapshot> {
    return this.look('credentials', credential(kind), timeoutMs);
  }

  token(_: TenantKey, tokenType: TokenType, timeoutMs: number): Promise<TokenSnapshot> {
    return this.look('tokens', { ...token(), ...tokenType }, timeoutMs);
  }

  private async look<T>(of: 'credentials' | 'tokens', seen: T, timeoutMs: number): Promise<T> {
    this.timeoutsMs.push(timeoutMs);
    this.maxAtOnce[of] = Math.max(this.maxAtOnce[of], ++this.running[of]);
    await this.clock.sleep(Math.min(this.lookMs, timeoutMs));
    this.running[of]--;
    return seen;
  }
}

const tenantIds = Array.from({ length: 100 }, (_, n) => `tenant-${n}`);
const deployment = deploymentOf(tenantIds);
let clock: VirtualClock;
let secrets: TimedInspector;
beforeEach(() => {
  clock = new VirtualClock();
  secrets = new TimedInspector(clock);
});

const take = (of?: readonly string[], leftMs = 60_000, ports: Partial<SnapshotPorts> = {}) =>
  takeSnapshot({ deployment, clock, secrets, ...ports }, of, clock.monotonicMs() + leftMs);

test('a snapshot has both credentials and every declared token of every tenant, in the order of the deployment', async () => {
  const snapshot = await take();

  expect(snapshot).toMatchObject({ takenAt: new Date(NOON_MS).toISOString(), deployment });
  expect(snapshot.tenants.map(({ tenantId }) => tenantId)).toEqual(tenantIds);
  for (const { credentials, tokens } of snapshot.tenants) {
    expect(credentials.map(({ kind }) => kind)).toEqual(['client-credentials', 'api-key']);
    expect(tokens).toEqual([token()]);
  }
});

test('a snapshot of some tenants has only those, and no API key of one without a secret for it', async () => {
  const tenants = deployment.tenants.map((tenant) =>
    tenant.tenantId === 'tenant-3' ? { ...tenant, apiKey: false as const } : tenant,
  );

  const snapshot = await take(['tenant-7', 'tenant-3'], 60_000, { deployment: { ...deployment, tenants } });

  expect(
    snapshot.tenants.map(({ tenantId, credentials }) => [tenantId, ...credentials.map(({ kind }) => kind)]),
  ).toEqual([
    ['tenant-3', 'client-credentials'],
    ['tenant-7', 'client-credentials', 'api-key'],
  ]);
  expect(secrets.timeoutsMs).toHaveLength(5);
});

test('a snapshot says whether the platform offers restore, if the deployment has a restore API', async () => {
  const answer = { availability: 'absent', reason: 'it answered 405' } as const;
  const ask = jest.fn<Promise<typeof answer>, [number]>(async () => answer);

  expect(await take(['tenant-1'], 60_000, { restore: { ask } })).toMatchObject({ restore: answer });
  await take(['tenant-1'], 5_000, { restore: { ask } });
  expect(await take(['tenant-1'])).not.toHaveProperty('restore');
  expect(ask.mock.calls).toEqual([[15_000], [5_000]]);
});

test('inspects so many secrets in parallel, ends in time, and marks those that were not reached', async () => {
  secrets = new TimedInspector(clock, 1_000);

  const snapshot = await take(undefined, 2_500);

  expect(secrets.maxAtOnce).toEqual({ credentials: 25, tokens: 100 });
  expect(clock.nowMs() - NOON_MS).toBe(2_500);
  const secretsSeen = snapshot.tenants.flatMap(({ credentials, tokens }) => [...credentials, ...tokens]);
  // All tokens in the first second, then two times 25 credentials.
  expect(secretsSeen.filter(({ access }) => access === 'ok')).toHaveLength(150);
});

test('names every secret that was not reached, an adopted one by its ARN', async () => {
  const arn = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:legacy/creds-AbCdEf';
  const one = deploymentOf(['tenant-1']);
  one.tenants[0]!.adopted = { clientCredentials: { arn, fields: { clientId: 'id' } } };

  const { tenants } = await take(undefined, 0, { deployment: one });

  const path = 'latchkey/staging/mea/tenant-1';
  const failure = { access: 'unavailable', reason: 'no time was left to inspect it' };
  const token = { interface: 'content', scope: 'api/read' };
  expect(tenants[0]).toMatchObject({
    credentials: [
      { kind: 'client-credentials', secretId: arn, ...failure },
      { kind: 'api-key', secretId: `${path}/api-key`, ...failure },
    ],
    tokens: [{ ...token, secretId: `${path}/token/content/api-read`, ...failure }],
  });
});

test('gives each secret at most ten seconds, and never more than the remaining time', async () => {
  await take(['tenant-1']);
  await take(['tenant-1'], 4_000);

  expect(secrets.timeoutsMs).toEqual([10_000, 10_000, 10_000, 4_000, 3_900, 3_900]);
});

test('tells the inspector what tokens say of when their credential was created, which saves it a call', async () => {
  const inspect = jest.spyOn(secrets, 'credential');
  const credentialOf = { credentialVersionId: 'v-1', credentialCreatedAt: new Date(NOON_MS).toISOString() };
  const stored = token();
  jest
    .spyOn(secrets, 'token')
    .mockResolvedValueOnce({ ...stored, token: { ...stored.token!, ...credentialOf } });

  await take(['tenant-1']);
  await take(['tenant-2']);

  const told = inspect.mock.calls.map((call) => [...(call as unknown[])][3]);
  expect(told[0]).toEqual(new Map([['v-1', NOON_MS]]));
  expect(told.at(-1)).toEqual(new Map());
});
