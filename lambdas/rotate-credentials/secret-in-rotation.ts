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
const MAX_MOVE_ATTEMPTS = 3;

export interface SecretPorts {
  deployment: DeploymentFile;
  versions: CredentialVersions;
  clock: Clock;
}

/** The credential secret and version that a rotation step works on. */
export class SecretInRotation {
  readonly kind: CredentialKind;
  readonly tenant: DeploymentTenant;
  /** Undefined for the learning platform. */
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
  readonly versionId: string;
  private readonly rotationToken: string | undefined;
  /** Whether API keys open the restore API. */
  private readonly acceptsApiKeys: boolean;
  private described: DescribedSecret;
  private readonly versions: CredentialVersions;
  private readonly remainingMs: () => number;

  private constructor(
    { deployment, versions }: SecretPorts,
    { ClientRequestToken, RotationToken }: RotationEvent,
    described: DescribedSecret,
    remainingMs: () => number,
  ) {
    const owner = ownerOf(described, deployment);
    if (owner === undefined) throw foreignSecretError(described, deployment);
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
    this.acceptsApiKeys = deployment.restoreApi.acceptsApiKeys ?? false;
    this.described = described;
    this.versions = versions;
    this.remainingMs = remainingMs;
  }

  /**
   * Reads the secret and its labels.
   * @param deadlineMs time limit of every call, by the monotonic clock
   * @throws {RotationError} `foreign_secret`
   * @throws {StoreError}
   */
  static async open(ports: SecretPorts, event: RotationEvent, deadlineMs: number): Promise<SecretInRotation> {
    const remainingMs = () => deadlineMs - ports.clock.monotonicMs();
    const described = await ports.versions.describe(event.SecretId, remainingMs());
    return new SecretInRotation(ports, event, described, remainingMs);
  }

  get name(): string {
    return this.described.name;
  }

  /** The version in rotation, for a change event. */
  toChange(): CredentialChange {
    const { tenant, kind, versionId, described } = this;
    return { tenantId: tenant.tenantId, credential: kind, secretArn: described.arn, versionId };
  }

  /** Whether the version in rotation had a label when last read. */
  hasLabel(label: string): boolean {
    return this.versionWith(label) === this.versionId;
  }

  /** The version that had a label when last read. */
  versionWith(label: string): string | undefined {
    return holderOf(this.described.labels, label);
  }

  /** The labels that tests left on any version when last read. */
  testLabels(): string[] {
    return testLabelsIn([...this.described.labels.values()].flat());
  }

  /** The value of a version; undefined if the version or its value does not exist. @throws {StoreError} */
  async valueOf(versionId: string | undefined): Promise<string | undefined> {
    if (versionId === undefined) return undefined;
    return (await this.versions.read(this.described.arn, versionId, this.remainingMs()))?.value;
  }

  /**
   * Records that the platform accepted the API key in rotation, so that the key opens the restore API once it is current.
   * Does nothing for other credentials, or if the restore API accepts no API keys.
   * @throws {StoreError}
   */
  async recordProven(): Promise<void> {
    if (this.kind !== 'api-key' || !this.acceptsApiKeys) return;
    const version = await this.versions.read(this.described.arn, this.versionId, this.remainingMs());
    // Another run may have written the record while the platform was asked.
    this.described = await this.versions.describe(this.described.arn, this.remainingMs());
    const { arn, tags, labels } = this.described;
    if (version === undefined) return;
    const judged = judgedVersion(this.versionId, version.createdAtMs);
    const proven = withProven(parseProofRecord(tags), judged, labels);
    await this.versions.tag(arn, proofRecordTags(proven), this.remainingMs());
  }

  /** @throws {StoreError} */
  async putPending(value: string): Promise<void> {
    const { versionId, rotationToken } = this;
    await this.versions.putPending(
      this.described.arn,
      { versionId, value, rotationToken },
      this.remainingMs(),
    );
  }

  /** Moves a label to the version in rotation, from wherever it is. @throws {StoreError} */
  async attachLabel(label: string): Promise<void> {
    for (let attempt = 1; !this.hasLabel(label); attempt += 1) {
      const move = { label, from: this.versionWith(label), to: this.versionId };
      const outcome = await this.versions.moveLabel(this.described.arn, move, this.remainingMs());
      if (outcome === 'moved') return;
      if (attempt === MAX_MOVE_ATTEMPTS) {
        throw new StoreError(
          'unavailable',
          `another writer moved ${label} of ${this.name} ${MAX_MOVE_ATTEMPTS} times`,
        );
      }
      this.described = await this.versions.describe(this.described.arn, this.remainingMs());
    }
  }

  /**
   * Ends the rotation without a promotion. Removes AWSPENDING before the labels of tests: a pending version without an
   * outcome looks like a running rotation.
   * @param outcome the label that tells a waiting command why; without it, no outcome stays
   * @throws {StoreError}
   */
  async endRotation(outcome?: OutcomeLabel): Promise<void> {
    if (outcome !== undefined) await this.attachLabel(outcome);
    for (const label of ['AWSPENDING', ...this.testLabels()]) {
      if (label !== outcome && this.hasLabel(label)) await this.moveLabel(label, { from: this.versionId });
    }
  }

  /** Moves a label if it is still on `from`. Without `to` removes it. @throws {StoreError} */
  async moveLabel(label: string, { from, to }: { from: string; to?: string }): Promise<void> {
    await this.versions.moveLabel(this.described.arn, { label, from, to }, this.remainingMs());
  }
}

/** The kind of a secret, from its tag, and the tenant that it belongs to. Undefined if either is unknown. */
function ownerOf(
  secret: DescribedSecret,
  deployment: DeploymentFile,
): { kind: CredentialKind; tenant: DeploymentTenant } | undefined {
  const kind = CREDENTIAL_KINDS.find((each) => each === secret.tags[KIND_TAG]);
  if (kind === undefined) return undefined;
  const tenant = deployment.tenants.find((each) => belongsTo(each, secret, kind, deployment));
  return tenant && { kind, tenant };
}

/** Whether a secret is the one that the tenant adopted or, if the tenant adopted none, the one with Latchkey's name. */
function belongsTo(
  tenant: DeploymentTenant,
  { arn, name }: DescribedSecret,
  kind: CredentialKind,
  { prefix, ...deploymentKey }: DeploymentFile,
): boolean {
  const { tenantId } = tenant;
  const adopted = adoptedSecret({ tenants: [tenant] }, tenant, kind);
  if (adopted !== undefined) return adopted.arn === arn;
  // Compared first: to compose the names of 1,000 tenants took a quarter of a step's time.
  if (tenantId !== name.split('/').at(-2)) return false;
  return credentialSecretName(prefix, { ...deploymentKey, tenantId }, kind) === name;
}

function foreignSecretError(
  { name, tags }: DescribedSecret,
  { prefix, ...deploymentKey }: DeploymentFile,
): RotationError {
  const taggedKind = tags[KIND_TAG];
  const allowed = CREDENTIAL_KINDS.map(
    (kind) =>
      `${KIND_TAG}=${kind} on ${credentialSecretName(prefix, { ...deploymentKey, tenantId: 'TENANT' }, kind)}`,
  );
  return new RotationError(
    'foreign_secret',
    `found ${taggedKind === undefined ? `no tag ${KIND_TAG}` : `${KIND_TAG}=${taggedKind}`} on ${name}; ` +
      `allowed: ${allowed.join(' or ')}, of a tenant that the configuration declares, or on a secret that it adopts as that kind`,
  );
}
