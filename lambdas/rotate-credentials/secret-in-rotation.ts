import { KIND_TAG, type OutcomeLabel, testLabelsIn } from '../../core/secrets/credential-labels';
import {
  adoptedSecret,
  type DeploymentFile,
  type DeploymentTenant,
  type FieldNames,
} from '../../core/deployment/deployment-file';
import { holderOf } from '../../core/secrets/former-version';
import { placeFlags } from '../../core/commands/place-flags';
import { judgedVersion, parseProofRecord, proofRecordTags } from '../../core/rotation/proof-record';
import { type RotationEvent } from '../../core/rotation/rotation';
import { CREDENTIAL_KINDS, type CredentialKind, credentialSecretName } from '../../core/secrets/secret-names';
import { loadCommand } from '../../core/commands/fix-commands';
import { withProven } from '../../core/rotation/proven-versions';
import { StoreError } from '../../core/secrets/store-error';
import {
  type Clock,
  type CredentialChange,
  type CredentialVersions,
  type DescribedSecret,
} from '../shared/ports';
import { RotationError } from './rotation-error';

/** Attempts to move a label that other writers also move. More than one conflict is unusual. */
const TRIES = 3;

export interface SecretPorts {
  deployment: DeploymentFile;
  versions: CredentialVersions;
  clock: Clock;
}

/** The credential secret and version that a rotation step works on. */
export class SecretInRotation {
  readonly kind: CredentialKind;
  readonly tenant: DeploymentTenant;
  /** Undefined for the built-in platform. */
  readonly issuer: string | undefined;
  /** The names of the credential's fields in the secret. */
  readonly fields: FieldNames | undefined;
  /** Commands for an operator, complete with all flags. */
  readonly advice: {
    /** Stages a new credential and rotates to it. */
    stage: string;
    /** Rotates to the staged candidate. */
    rotate: string;
  };
  /** Id of the version in rotation. */
  readonly versionId: string;
  private readonly rotationToken: string | undefined;
  private readonly areKeysProven: boolean;
  private described: DescribedSecret;
  private readonly versions: CredentialVersions;
  private readonly leftMs: () => number;

  private constructor(
    { deployment, versions }: SecretPorts,
    { ClientRequestToken, RotationToken }: RotationEvent,
    described: DescribedSecret,
    leftMs: () => number,
  ) {
    const owner = ownerOf(described, deployment);
    if (owner === undefined) throw foreign(described, deployment);
    this.kind = owner.kind;
    this.tenant = owner.tenant;
    this.issuer = deployment.issuer;
    this.fields = adoptedSecret(deployment, owner.tenant, owner.kind)?.fields;
    const flags = placeFlags({ ...deployment, tenantId: owner.tenant.tenantId });
    this.advice = {
      stage: `${loadCommand(owner.kind, deployment.platform)} ${flags}`,
      rotate: `latchkey credentials rotate --kind ${owner.kind} ${flags}`,
    };
    this.versionId = ClientRequestToken;
    this.rotationToken = RotationToken;
    this.areKeysProven = deployment.restoreApi.acceptsApiKeys ?? false;
    this.described = described;
    this.versions = versions;
    this.leftMs = leftMs;
  }

  /**
   * Reads the secret and its labels.
   * @param deadlineMs time limit of every call, by the monotonic clock
   * @throws {RotationError} `foreign_secret`
   * @throws {StoreError}
   */
  static async open(ports: SecretPorts, event: RotationEvent, deadlineMs: number): Promise<SecretInRotation> {
    const leftMs = () => deadlineMs - ports.clock.monotonicMs();
    const described = await ports.versions.describe(event.SecretId, leftMs());
    return new SecretInRotation(ports, event, described, leftMs);
  }

  get name(): string {
    return this.described.name;
  }

  /** The version in rotation as an event names it. */
  asChange(): CredentialChange {
    const { tenant, kind, versionId, described } = this;
    return { tenantId: tenant.tenantId, credential: kind, secretArn: described.arn, versionId };
  }

  /** Whether the version in rotation had a label when last read. */
  has(label: string): boolean {
    return this.holderOf(label) === this.versionId;
  }

  /** The version that had a label when last read. */
  holderOf(label: string): string | undefined {
    return holderOf(this.described.labels, label);
  }

  /** The labels that tests left on any version when last read. */
  testLabels(): string[] {
    return testLabelsIn([...this.described.labels.values()].flat());
  }

  /** The value of a version; undefined if the version or its value does not exist. @throws {StoreError} */
  async valueOf(versionId: string | undefined): Promise<string | undefined> {
    if (versionId === undefined) return undefined;
    return (await this.versions.read(this.described.arn, versionId, this.leftMs()))?.value;
  }

  /**
   * Records that the platform accepted the version in rotation, so that it opens the restore API once it is current. Does
   * nothing if API keys open nothing.
   * @throws {StoreError}
   */
  async recordProven(): Promise<void> {
    if (this.kind !== 'api-key' || !this.areKeysProven) return;
    const version = await this.versions.read(this.described.arn, this.versionId, this.leftMs());
    // Another run may have written the record while the platform was asked.
    this.described = await this.versions.describe(this.described.arn, this.leftMs());
    const { arn, tags, labels } = this.described;
    if (version === undefined) return;
    const judged = judgedVersion(this.versionId, version.createdAtMs);
    const proven = withProven(parseProofRecord(tags), judged, labels);
    await this.versions.tag(arn, proofRecordTags(proven), this.leftMs());
  }

  /** @throws {StoreError} */
  async putPending(value: string): Promise<void> {
    const { versionId, rotationToken } = this;
    await this.versions.putPending(this.described.arn, { versionId, value, rotationToken }, this.leftMs());
  }

  /** Moves a label to the version in rotation, from wherever it is. @throws {StoreError} */
  async attach(label: string): Promise<void> {
    for (let attempt = 1; !this.has(label); attempt += 1) {
      const move = { label, from: this.holderOf(label), to: this.versionId };
      const outcome = await this.versions.moveLabel(this.described.arn, move, this.leftMs());
      if (outcome === 'moved') return;
      if (attempt === TRIES) {
        throw new StoreError('unavailable', `another writer moved ${label} of ${this.name} ${TRIES} times`);
      }
      this.described = await this.versions.describe(this.described.arn, this.leftMs());
    }
  }

  /**
   * Ends the rotation of this version. AWSPENDING goes first: a pending version without an outcome looks like a running
   * rotation.
   * @param outcome stays, or is attached, for a command that waits for this version
   * @throws {StoreError}
   */
  async giveUp(outcome?: OutcomeLabel): Promise<void> {
    if (outcome !== undefined) await this.attach(outcome);
    for (const label of ['AWSPENDING', ...this.testLabels()]) {
      if (label !== outcome && this.has(label)) await this.detach(label, this.versionId);
    }
  }

  /** Removes a label from a version, or moves it to another, if it is still there. @throws {StoreError} */
  async detach(label: string, from: string, to?: string): Promise<void> {
    await this.versions.moveLabel(this.described.arn, { label, from, to }, this.leftMs());
  }
}

/** The tenant and kind of a secret: the one with Latchkey's name or, if the tenant adopted one, exactly that. */
function ownerOf(
  { arn, name, tags }: DescribedSecret,
  { prefix, tenants, ...deploymentKey }: DeploymentFile,
): { kind: CredentialKind; tenant: DeploymentTenant } | undefined {
  const kind = CREDENTIAL_KINDS.find((known) => known === tags[KIND_TAG]);
  if (kind === undefined) return undefined;
  const namedTenant = name.split('/').at(-2);
  const tenant = tenants.find((each) => {
    const { tenantId } = each;
    const adopted = adoptedSecret({ tenants: [each] }, each, kind);
    if (adopted !== undefined) return adopted.arn === arn;
    return (
      tenantId === namedTenant && credentialSecretName(prefix, { ...deploymentKey, tenantId }, kind) === name
    );
  });
  return tenant && { kind, tenant };
}

function foreign(
  { name, tags }: DescribedSecret,
  { prefix, ...deploymentKey }: DeploymentFile,
): RotationError {
  const kind = tags[KIND_TAG];
  const allowed = CREDENTIAL_KINDS.map(
    (known) =>
      `${KIND_TAG}=${known} on ${credentialSecretName(prefix, { ...deploymentKey, tenantId: 'TENANT' }, known)}`,
  );
  return new RotationError(
    'foreign_secret',
    `found ${kind === undefined ? `no tag ${KIND_TAG}` : `${KIND_TAG}=${kind}`} on ${name}; ` +
      `allowed: ${allowed.join(' or ')}, of a tenant that the configuration declares, or on a secret that it adopts as that kind`,
  );
}
