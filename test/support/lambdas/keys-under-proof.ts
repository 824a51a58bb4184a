import { KIND_TAG } from '../../../core/secrets/credential-labels';
import { type ProveAnswer } from '../../../core/rotation/api-key-proof';
import { type RotationStep } from '../../../core/rotation/rotation';
import { credentialSecretName } from '../../../core/secrets/secret-names';
import { CountedRuns } from '../../../lambdas/rotate-credentials/counted-runs';
import { proveChanged } from '../../../lambdas/rotate-credentials/prove-changed';
import { proveKeys } from '../../../lambdas/rotate-credentials/prove-keys';
import { rotate } from '../../../lambdas/rotate-credentials/rotate';
import { type RotationError } from '../../../lambdas/rotate-credentials/rotation-error';
import { SecretsManagerAcceptedSecrets } from '../../../lambdas/shared/adapters/secrets-manager-accepted-secrets';
import { SecretsManagerCredentialVersions } from '../../../lambdas/shared/adapters/secrets-manager-credential-versions';
import { digestOf, findAccepted } from '../../../core/secrets/accepted-secret';
import { type CredentialProof, type ProofOutcome } from '../../../lambdas/shared/ports';
import { addVersion, moveLabel } from 'cdk-on-loopback/testing';
import { clientOf, SimulatedSecretsManager } from '../aws/simulated-secrets-manager';
import { CountingMetrics } from './counting-metrics';
import { RecordingLog } from './recording-log';
import { trailMessage } from './trail-message';
import { deploymentOf, keyOf, MINUTE_MS } from './token-functions';
import { VirtualClock } from './virtual-clock';

const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
const LOOK_MS = 6 * 60 * MINUTE_MS;

/** rotate-credentials and the restore API's authorizer on one store, with a platform that knows some API keys. */
export class KeysUnderProof {
  readonly clock = new VirtualClock();
  readonly store = new SimulatedSecretsManager(this.clock);
  readonly log = new RecordingLog();
  readonly metrics = new CountingMetrics();
  readonly tenantIds: readonly string[];
  readonly accepted = new Set<string>();
  readonly asked: string[] = [];
  /** Whether the platform may not have known the key yet, for each question. */
  readonly mayLag: (boolean | undefined)[] = [];
  isDown = false;
  answersAfterMs = 0;
  readonly memory = {};
  readonly #deployment;
  readonly #versions = new SecretsManagerCredentialVersions(clientOf((command) => this.store.send(command)));

  constructor(
    tenantIds: readonly string[] = ['tenant-a'],
    { trailEvents = false, withoutKeys = [] as string[] } = {},
  ) {
    const deployment = deploymentOf(tenantIds);
    for (const tenant of deployment.tenants) {
      if (withoutKeys.includes(tenant.tenantId)) tenant.apiKey = false;
    }
    this.tenantIds = tenantIds;
    this.#deployment = {
      ...deployment,
      restoreApi: { ...deployment.restoreApi, acceptsApiKeys: true },
      ...(trailEvents && { trailEvents: true as const }),
    };
    for (const tenantId of tenantIds) this.store.create(this.nameOf(tenantId), { [KIND_TAG]: 'api-key' });
    this.clock.advance(LOOK_MS - (this.clock.nowMs() % LOOK_MS) + 60 * MINUTE_MS);
  }

  nameOf(tenantId = this.tenantIds[0]!): string {
    return credentialSecretName('latchkey', keyOf(tenantId), 'api-key');
  }

  /** Writes a value with a label, as an operator may do by hand. */
  paste(apiKey: string, { tenantId = this.tenantIds[0]!, text = '', label = 'AWSCURRENT' } = {}): string {
    const validUntil = new Date(this.clock.nowMs() + YEAR_MS).toISOString();
    const secret = this.store.secret(this.nameOf(tenantId));
    const version = addVersion(
      secret,
      `version-of-${apiKey}-${secret.versions.size}`.padEnd(32, '-'),
      this.clock.nowMs(),
    );
    version.secretString = text === '' ? JSON.stringify({ apiKey, validUntil }) : text;
    moveLabel(secret, label, version);
    return version.versionId;
  }

  /** Writes a value that the platform accepts. */
  pasteWorking(apiKey: string, options: { tenantId?: string; label?: string } = {}): string {
    this.accepted.add(apiKey);
    return this.paste(apiKey, options);
  }

  /** A rotation to a candidate. @returns the code of its error, or `done` */
  async rotateTo(apiKey: string): Promise<string> {
    const pending = this.pasteWorking(apiKey, { label: 'LATCHKEY_CANDIDATE' }).replace('version', 'rotated');
    const secret = this.store.secret(this.nameOf());
    moveLabel(secret, 'AWSPENDING', addVersion(secret, pending, this.clock.nowMs()));
    for (const step of ['createSecret', 'testSecret', 'finishSecret'] as const) {
      const outcome = await this.step(step, pending);
      if (outcome !== 'done') return outcome;
    }
    secret.versions.get(pending)?.stages.delete('AWSPENDING');
    return 'done';
  }

  /** A step of a rotation. @returns the code of its error, or `done` */
  async step(Step: RotationStep, versionId: string): Promise<string> {
    const { arn: SecretId } = this.store.secret(this.nameOf());
    try {
      const event = { SecretId, ClientRequestToken: versionId, Step };
      await rotate(this.#ports(), event, this.clock.monotonicMs() + 58_000);
      return 'done';
    } catch (error) {
      return (error as RotationError).code;
    }
  }

  /** Writes a working key of each tenant, and proves it. */
  async proveAll(): Promise<void> {
    for (const tenantId of this.tenantIds) this.pasteWorking(`key of ${tenantId}`, { tenantId });
    await this.prove();
  }

  /** A run of the schedule, or for one tenant. */
  prove(tenantIds?: string[]): Promise<ProveAnswer> {
    const event = { action: 'prove' as const, ...(tenantIds !== undefined && { tenantIds }) };
    return proveKeys(this.#ports(), event, this.clock.monotonicMs() + 58_000);
  }

  /** A run for the first tenant, whose secret an event names. */
  proveChanged(): Promise<ProveAnswer> {
    const event = { Records: [trailMessage(this.nameOf())] };
    return proveChanged(this.#ports(), event, this.clock.monotonicMs() + 58_000);
  }

  async outcome(tenantIds?: string[]): Promise<string> {
    const { tenants } = await this.prove(tenantIds);
    return tenants.find(({ tenantId }) => tenantId === this.tenantIds[0])!.outcome;
  }

  /** Advances to the begin of the next six hours. */
  toNextLook(): void {
    this.clock.advance(LOOK_MS - (this.clock.nowMs() % LOOK_MS));
  }

  /** The keys among these that open the restore API now. */
  async opening(keys: readonly string[], tenantId = this.tenantIds[0]!): Promise<string[]> {
    const door = new SecretsManagerAcceptedSecrets(
      clientOf((command) => this.store.send(command)),
      this.#deployment,
    );
    const accepted = await door.apiKeys(keyOf(tenantId));
    return keys.filter((key) => findAccepted(accepted, digestOf(key), this.clock.nowMs()) !== undefined);
  }

  #ports() {
    const { clock, log, metrics, memory } = this;
    const proof: CredentialProof = {
      prove: async (_, { value }, __, mayLag): Promise<ProofOutcome> => {
        const { apiKey } = value as { apiKey: string };
        this.mayLag.push(mayLag);
        this.asked.push(apiKey);
        if (this.answersAfterMs > 0) await clock.sleep(this.answersAfterMs);
        if (this.isDown) return { kind: 'could_not_test', reason: 'it answered 503' };
        return this.accepted.has(apiKey)
          ? { kind: 'proven' }
          : { kind: 'refused', reason: 'it answered 401' };
      },
    };
    const ports = { clock, log, metrics, memory, proof, versions: this.#versions };
    return { ...ports, deployment: this.#deployment, countedRuns: new CountedRuns() };
  }
}
