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
  memory = new RefreshMemory();
  readonly #versions = new SecretsManagerCredentialVersions(
    clientOf((command) => this.secrets.send(command)),
  );

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

  run(endsInMs = 4 * MINUTE_MS, deployment = deploymentOf(TENANT_IDS)): Promise<void> {
    const { clock, memory, log } = this;
    const ports = { versions: this.#versions, clock, memory, log };
    return endAbandonedRotations(ports, deployment, clock.monotonicMs() + endsInMs);
  }

  pending(name: string): string | undefined {
    return this.secrets.versionWith(name, 'AWSPENDING')?.versionId;
  }
}

let sweeping: Sweeping;
beforeEach(() => (sweeping = new Sweeping()));

test.each(CREDENTIAL_KINDS)('a rotation of %s is ended once it is a day old', async (kind) => {
  const name = nameOf('tenant-b', kind);
  sweeping.begin(name, 24 * HOUR_MS + 1);

  await sweeping.run();

  expect(sweeping.pending(name)).toBeUndefined();
  expect(sweeping.secrets.versionWith(name, 'AWSCURRENT')?.versionId).toBe(CURRENT);
  expect(sweeping.log.lines).toEqual([
    { level: 'info', message: 'abandoned rotation ended', tenantId: 'tenant-b', credential: kind },
  ]);
});

test('the outcome of its last test stays, for doctor', async () => {
  const name = nameOf('tenant-a');
  sweeping.begin(name, 25 * HOUR_MS);
  const secret = sweeping.secrets.secret(name);
  moveLabel(secret, 'LATCHKEY_UNTESTED', secret.versions.get(PENDING)!);

  await sweeping.run();

  expect([...secret.versions.get(PENDING)!.stages]).toEqual(['LATCHKEY_UNTESTED']);
});

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
  const callsOf = async () => {
    const before = sweeping.secrets.commands.length;
    await sweeping.run();
    return sweeping.secrets.commands.slice(before).map(({ operation }) => operation);
  };
  const calls: string[][] = [];
  for (let sweep = 0; sweep < 73; sweep += 1) {
    calls.push(await callsOf());
    sweeping.clock.advance(5 * MINUTE_MS);
  }

  const check = Array<string>(4).fill('DescribeSecret');
  expect([calls[0], calls[72]]).toEqual([check, check]);
  expect(calls.slice(1, 72).flat()).toEqual([]);
});

test('a process that starts later than two sweeps leaves the check to the next time', async () => {
  sweeping.clock.advance(10 * MINUTE_MS);
  sweeping.memory = new RefreshMemory();

  await sweeping.run();

  expect(sweeping.secrets.commands).toEqual([]);
});

test('a credential that cannot be checked is logged, and stops no other', async () => {
  sweeping.begin(nameOf('tenant-a'), 25 * HOUR_MS);
  sweeping.begin(nameOf('tenant-b'), 25 * HOUR_MS);
  sweeping.secrets.faults.push({
    operation: 'UpdateSecretVersionStage',
    secret: nameOf('tenant-a'),
    name: 'ThrottlingException',
  });

  await sweeping.run();

  expect(sweeping.pending(nameOf('tenant-b'))).toBeUndefined();
  expect(sweeping.log.lines).toContainEqual({
    level: 'warn',
    message: 'rotation not checked',
    tenantId: 'tenant-a',
    credential: 'client-credentials',
    code: 'throttled',
    detail: expect.stringContaining('secretsmanager:UpdateSecretVersionStage') as string,
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
  sweeping.secrets.send = () => Promise.reject(new TypeError('not a function'));
  const bug = new RangeError('a bug');
  sweeping.log.warn = () => {
    throw bug;
  };

  await expect(sweeping.run()).rejects.toBe(bug);
});

test('nothing is checked without time for a call', async () => {
  await sweeping.run(3_999);

  expect(sweeping.secrets.commands).toEqual([]);
});

test('an API key that a tenant has no secret for is not looked at', async () => {
  const sweeping = new Sweeping();
  const deployment = deploymentOf(TENANT_IDS);
  deployment.tenants[0]!.apiKey = false;

  await sweeping.run(4 * MINUTE_MS, deployment);

  const described = sweeping.secrets.commandsOf('DescribeSecret').map(({ secretId }) => secretId);
  expect(described).toHaveLength(3);
  expect(described).not.toContain(nameOf('tenant-a', 'api-key'));
});
