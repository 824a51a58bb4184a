import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  credentialSecretName,
} from '../../../core/secrets/secret-names';
import { SecretsManagerCredentialVersions } from '../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { endAbandonedRotations } from '../../../lambdas/token-refresh/end-abandoned-rotations';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { addVersion, moveLabel } from 'cdk-on-loopback/testing';
import { clientOf, SimulatedSecretsManager } from '../../support/aws/simulated-secrets-manager';
import { RecordingLog } from '../../support/lambdas/recording-log';
import { deploymentOf, keyOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';

const HOUR_MS = 60 * MINUTE_MS;
const CHECK_MS = 6 * HOUR_MS;
const TENANT_IDS = ['tenant-a', 'tenant-b'];
const [CURRENT, PENDING] = ['current', 'pending'].map((name) => name.padEnd(32, '-')) as [string, string];

const nameOf = (tenantId: string, kind: CredentialKind = 'client-credentials') =>
  credentialSecretName('latchkey', keyOf(tenantId), kind);

/** token-sweep's look at two tenants whose credentials are loaded. A check is due. */
class Sweeping {
  readonly clock = new VirtualClock();
  readonly secrets = new SimulatedSecretsManager(this.clock);
  readonly log = new RecordingLog();
  readonly memory = new RefreshMemory();
  readonly versions = new SecretsManagerCredentialVersions(clientOf((command) => this.secrets.send(command)));

  constructor() {
    for (const tenantId of TENANT_IDS) {
      for (const kind of CREDENTIAL_KINDS) {
        this.secrets.create(nameOf(tenantId, kind));
        this.secrets.put(nameOf(tenantId, kind), 'a value', CURRENT);
      }
    }
    this.clock.advance(CHECK_MS - (this.clock.nowMs() % CHECK_MS));
  }

  /** A rotation that began some time ago, and last changed the secret some time ago. */
  begin(name: string, ageMs: number, changedAgoMs = ageMs): void {
    const secret = this.secrets.secret(name);
    moveLabel(secret, 'AWSPENDING', addVersion(secret, PENDING, this.clock.nowMs() - ageMs));
    secret.lastChangedAtMs = this.clock.nowMs() - changedAgoMs;
  }

  run(endsInMs = 4 * MINUTE_MS): Promise<void> {
    return endAbandonedRotations(this, deploymentOf(TENANT_IDS), this.clock.monotonicMs() + endsInMs);
  }

  pending(name: string): string | undefined {
    return this.secrets.versionWith(name, 'AWSPENDING')?.versionId;
  }
}

let sweeping: Sweeping;
beforeEach(() => (sweeping = new Sweeping()));

test.each(CREDENTIAL_KINDS)(
  'a rotation of %s is ended once it is a day old, and keeps its outcome',
  async (kind) => {
    const name = nameOf('tenant-b', kind);
    sweeping.begin(name, 24 * HOUR_MS + 1);
    const { versions } = sweeping.secrets.secret(name);
    versions.get(PENDING)!.stages.add('LATCHKEY_UNTESTED');

    await sweeping.run();

    expect([...versions.values()].map(({ stages }) => [...stages])).toEqual([
      ['AWSCURRENT'],
      ['LATCHKEY_UNTESTED'],
    ]);
    expect(sweeping.log.lines).toEqual([
      { level: 'info', message: 'abandoned rotation ended', tenantId: 'tenant-b', credential: kind },
    ]);
  },
);

test.each([
  ['that is a day old', 24 * HOUR_MS, 24 * HOUR_MS],
  ['that is old, but was resumed and has just written', 90 * 24 * HOUR_MS, 10 * MINUTE_MS],
])('a rotation %s is left alone, because it may be running', async (_, ageMs, changedAgoMs) => {
  sweeping.begin(nameOf('tenant-a'), ageMs, changedAgoMs);

  await sweeping.run();

  expect(sweeping.pending(nameOf('tenant-a'))).toBe(PENDING);
});

test('AWSPENDING on the current version, where Secrets Manager may leave it, stays there', async () => {
  const secret = sweeping.secrets.secret(nameOf('tenant-a'));
  moveLabel(secret, 'AWSPENDING', secret.versions.get(CURRENT)!);
  secret.versions.get(CURRENT)!.createdAtMs = 0;
  secret.lastChangedAtMs = 0;

  await sweeping.run();

  expect(sweeping.pending(nameOf('tenant-a'))).toBe(CURRENT);
});

test('a check happens every six hours, in one of two sweeps, and costs one call per credential', async () => {
  const callsAt: Record<number, number> = {};
  for (let sweep = 0; sweep < 73; sweep += 1) {
    const before = sweeping.secrets.commands.length;
    await sweeping.run();
    const calls = sweeping.secrets.commands.length - before;
    if (calls > 0) callsAt[sweep] = calls;
    sweeping.clock.advance(5 * MINUTE_MS);
  }

  expect(callsAt).toEqual({ 0: 4, 72: 4 });
});

test.each([
  [
    'by a process that starts later than two sweeps, which leaves it to the next time',
    10 * MINUTE_MS,
    undefined,
  ],
  ['without time for a call', 0, 3_999],
])('nothing is checked %s', async (_, lateMs, endsInMs) => {
  sweeping.clock.advance(lateMs);

  await sweeping.run(endsInMs);

  expect(sweeping.secrets.commands).toEqual([]);
});

test('a credential that cannot be checked is logged, and stops no other', async () => {
  sweeping.begin(nameOf('tenant-a'), 25 * HOUR_MS);
  sweeping.begin(nameOf('tenant-b'), 25 * HOUR_MS);
  const operation = 'UpdateSecretVersionStage';
  sweeping.secrets.faults.push({ operation, secret: nameOf('tenant-a'), name: 'ThrottlingException' });

  await sweeping.run();

  expect(sweeping.pending(nameOf('tenant-b'))).toBeUndefined();
  expect(sweeping.log.lines).toContainEqual({
    level: 'warn',
    message: 'rotation not checked',
    tenantId: 'tenant-a',
    credential: 'client-credentials',
    code: 'throttled',
    detail: expect.stringContaining(`secretsmanager:${operation}`) as string,
  });
});

test('a tenant whose stack is not deployed has no rotation, and stops no other', async () => {
  for (const kind of CREDENTIAL_KINDS)
    sweeping.secrets.account.secrets.delete(sweeping.secrets.secret(nameOf('tenant-a', kind)).arn);
  sweeping.begin(nameOf('tenant-b'), 25 * HOUR_MS);

  await sweeping.run();

  expect(sweeping.log.lines).toMatchObject([{ message: 'abandoned rotation ended', tenantId: 'tenant-b' }]);
});

test('an error that no store throws is a bug, and fails the sweep', async () => {
  sweeping.versions.describe = () => Promise.reject(new TypeError('a bug'));

  await expect(sweeping.run()).rejects.toThrow(TypeError);
});
