import {
  adoptedSecret,
  credentialSecretId,
  type DeploymentTenant,
} from '../../core/deployment/deployment-file';
import { holderOf } from '../../core/secrets/former-version';
import {
  isSameVersion,
  type JudgedVersion,
  judgedVersion,
  parseProofRecord,
  type ProofRecord,
  proofRecordTags,
} from '../../core/rotation/proof-record';
import { parseApiKey } from '../../core/secrets/credential-values';
import { type ApiKeyValue } from '../../core/secrets/secret-values';
import {
  provenEntry,
  servingEntry,
  settledRecord,
  withProven,
  withRefused,
} from '../../core/rotation/proven-versions';
import { tenantKeyOf } from '../../core/tokens/token-key';
import {
  type Clock,
  type CredentialProof,
  type CredentialVersions,
  type DescribedSecret,
  type ProofOutcome,
} from '../shared/ports';
import { type SecretPorts } from './secret-in-rotation';

/** What the platform said about a version. */
export interface Tried {
  kind: ProofOutcome['kind'];
  reason?: string;
  version: JudgedVersion;
  isCurrent: boolean;
  /** Whether it opens the restore API so far, because the platform accepted it before. */
  wasProven: boolean;
  /** Whether the platform refused it in an earlier run, and was not asked again. */
  isRefusedBefore: boolean;
  /** Whether its time is over, which credential-watch reports. */
  isExpired: boolean;
}

/** Time for one key, with retries: a new key may take half a minute to work, but the next run comes within minutes. */
const PROOF_MS = 10_000;

/** The outcome for a version that the platform refused in an earlier run and is not asked about now. */
const REFUSED_BEFORE = {
  kind: 'refused',
  reason: 'the platform refused it before',
} as const satisfies ProofOutcome;

/** Whether the current version opens nothing, so that a person must act. */
export function isUnusable({ kind, isCurrent, wasProven, isExpired }: Tried): boolean {
  return isCurrent && !isExpired && (kind === 'refused' || (kind === 'could_not_test' && !wasProven));
}

/** The API key of a tenant, whose current version may never have been tried. */
export class KeyUnderProof {
  private readonly tenant: DeploymentTenant;
  private readonly fields: ReturnType<typeof adoptedSecret>;
  private readonly versions: CredentialVersions;
  private readonly clock: Clock;
  private described: DescribedSecret;

  private constructor(
    { deployment, versions, clock }: SecretPorts,
    tenant: DeploymentTenant,
    described: DescribedSecret,
  ) {
    this.tenant = tenant;
    this.fields = adoptedSecret(deployment, tenant, 'api-key');
    this.versions = versions;
    this.clock = clock;
    this.described = described;
  }

  /** @throws {StoreError} */
  static async open(ports: SecretPorts, tenant: DeploymentTenant, endsAtMs: number): Promise<KeyUnderProof> {
    const { deployment, versions, clock } = ports;
    const key = tenantKeyOf(deployment, tenant.tenantId);
    const secretId = credentialSecretId(deployment, key, 'api-key');
    const described = await versions.describe(secretId, Math.max(1, endsAtMs - clock.monotonicMs()));
    return new KeyUnderProof(ports, tenant, described);
  }

  get isLoaded(): boolean {
    return this.currentId !== undefined;
  }

  /**
   * The current version if it is not proven. A full proof also tries a proven current version, or the proven version that serves
   * instead. If the record is empty, it may have been lost: then the previous version is tried too, for its grace period.
   */
  versionsToTry(isFullProof: boolean): string[] {
    const { currentId, record } = this;
    if (currentId === undefined) return [];
    const { labels } = this.described;
    const previousId = holderOf(labels, 'AWSPREVIOUS');
    const isEmpty = record.proven.length === 0 && record.refused === undefined;
    if (isEmpty && previousId !== undefined) return [previousId, currentId];
    const isProven = this.isProven(currentId);
    if (!isFullProof) return isProven ? [] : [currentId];
    const servingId = servingEntry(record, labels)?.id;
    return isProven || servingId === undefined ? [currentId] : [servingId, currentId];
  }

  /**
   * Asks the platform about a version. Refuses a value that is not an API key without asking. Does not ask without time for all
   * attempts, because a single refusal may be a mistake of the platform. Asks only once about a version that it refused in an
   * earlier run.
   * @param asksAgain whether to ask about a version that the platform refused in an earlier run
   * @throws {StoreError}
   */
  async try(versionId: string, proof: CredentialProof, endsAtMs: number, asksAgain: boolean): Promise<Tried> {
    const read = await this.versions.read(this.described.arn, versionId, this.leftMs(endsAtMs));
    const tried = {
      version: judgedVersion(versionId, read?.createdAtMs ?? 0),
      isCurrent: versionId === this.currentId,
      wasProven: this.isProven(versionId),
      isRefusedBefore: false,
    };
    const credential = parseApiKey(read?.value, this.fields?.fields);
    if (credential === undefined) {
      const reason = 'the value is not an API key with an expiry';
      return { ...tried, kind: 'refused', reason, wasProven: false, isExpired: false };
    }
    const wasRefused = isSameVersion(this.record.refused, tried.version);
    const isRefusedBefore = wasRefused && !asksAgain;
    const outcome = isRefusedBefore
      ? REFUSED_BEFORE
      : await this.ask(proof, credential, endsAtMs, !wasRefused);
    const isExpired = Date.parse(credential.validUntil) <= this.clock.nowMs();
    return {
      ...tried,
      isRefusedBefore,
      isExpired,
      kind: outcome.kind,
      ...('reason' in outcome && { reason: outcome.reason }),
    };
  }

  private async ask(
    proof: CredentialProof,
    value: ApiKeyValue,
    endsAtMs: number,
    mayLag: boolean,
  ): Promise<ProofOutcome> {
    const proofEndsMs = this.clock.monotonicMs() + PROOF_MS;
    if (proofEndsMs > endsAtMs) return { kind: 'could_not_test', reason: 'no time left to ask the platform' };
    return proof.prove(this.tenant, { kind: 'api-key', value }, proofEndsMs, mayLag);
  }

  /**
   * Writes what was found, if it changes the record.
   * @throws {StoreError}
   */
  async write(tried: readonly Tried[], endsAtMs: number): Promise<void> {
    const { arn } = this.described;
    // Another writer may have changed labels or record while the platform was asked.
    if (tried.length > 0) this.described = await this.versions.describe(arn, this.leftMs(endsAtMs));
    const tags = proofRecordTags(this.judged(tried));
    if (JSON.stringify(proofRecordTags(this.record)) !== JSON.stringify(tags)) {
      await this.versions.tag(arn, tags, this.leftMs(endsAtMs));
    }
  }

  private judged(tried: readonly Tried[]): ProofRecord {
    const { labels } = this.described;
    return tried.reduce(
      (soFar, { kind, version }) =>
        kind === 'could_not_test'
          ? soFar
          : (kind === 'proven' ? withProven : withRefused)(soFar, version, labels),
      settledRecord(this.record, labels),
    );
  }

  private leftMs(endsAtMs: number): number {
    return Math.max(1, endsAtMs - this.clock.monotonicMs());
  }

  private get currentId(): string | undefined {
    return holderOf(this.described.labels, 'AWSCURRENT');
  }

  private get record(): ProofRecord {
    return parseProofRecord(this.described.tags);
  }

  private isProven(versionId: string): boolean {
    const { record } = this;
    return record.refused?.id !== versionId && provenEntry(record, versionId) !== undefined;
  }
}
