import { type DescribeSecretResponse, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { holderOf } from '../../../core/secrets/former-version';
import { currentSinceMs } from '../../../core/secrets/current-since';
import {
  type CredentialSnapshot,
  type CredentialState,
  type SnapshotVersion,
  type TokenSnapshot,
} from '../../../core/deployment/deployment-snapshot';
import {
  adoptedSecret,
  credentialSecretId,
  type DeploymentFile,
  type FieldNames,
} from '../../../core/deployment/deployment-file';
import { parseProofRecord } from '../../../core/rotation/proof-record';
import { rotationScheduleOf } from '../../../core/rotation/rotation';
import { type CredentialKind, tokenSecretName } from '../../../core/secrets/secret-names';
import { type TenantKey, tokenKeyOf, type TokenType } from '../../../core/tokens/token-key';
import { parseApiKey } from '../../../core/secrets/credential-values';
import { keyProofOf } from '../../../core/rotation/proven-versions';
import { parseStoredToken, tokenStateOf } from '../../../core/tokens/stored-token';
import { type SecretInspector } from '../ports';
import { BatchedValues, type CurrentValue, type ReadValue } from './batched-values';
import { type CallOptions, endingAfter } from './call-timeout';
import { describeSecret, labelsOf, tagsOf, undefinedIfMissing } from './secrets-manager-calls';
import { secretFailureOf } from './secrets-manager-error';
import { versionTimes } from './version-times';

/**
 * Inspects a deployment's secrets in Secrets Manager: labels and times of credentials, expiry of API keys, and metadata of
 * tokens. Changes nothing.
 */
export class SecretsManagerInspector implements SecretInspector {
  private readonly client: SecretsManagerClient;
  private readonly deployment: DeploymentFile;
  private readonly values: BatchedValues;

  constructor(client: SecretsManagerClient, deployment: DeploymentFile) {
    this.client = client;
    this.deployment = deployment;
    this.values = new BatchedValues(client);
  }

  credential(
    tenant: TenantKey,
    kind: CredentialKind,
    timeoutMs: number,
    createdAtMs: ReadonlyMap<string, number> = new Map(),
  ): Promise<CredentialSnapshot> {
    return this.values.run((read) => this.inspect(tenant, kind, timeoutMs, createdAtMs, read));
  }

  private async inspect(
    tenant: TenantKey,
    kind: CredentialKind,
    timeoutMs: number,
    createdAtMs: ReadonlyMap<string, number>,
    read: ReadValue,
  ): Promise<CredentialSnapshot> {
    const secretId = credentialSecretId(this.deployment, tenant, kind);
    const options = endingAfter(timeoutMs);
    try {
      const secret = await describeSecret(this.client, secretId, options);
      const inspected = { kind, secretId: secret.ARN ?? secretId };
      if (secret.DeletedDate !== undefined) return { ...inspected, access: 'scheduled_for_deletion' };
      const { fields } = adoptedSecret(this.deployment, tenant, kind) ?? {};
      return { ...inspected, ...(await this.stateOf(secret, inspected, fields, createdAtMs, options, read)) };
    } catch (error) {
      return { kind, secretId, ...secretFailureOf(error, secretId) };
    }
  }

  async token(tenant: TenantKey, tokenType: TokenType, timeoutMs: number): Promise<TokenSnapshot> {
    const key = tokenKeyOf(tenant, tokenType);
    const secretId = tokenSecretName(this.deployment.prefix, key);
    try {
      const value = await this.values.run((read) =>
        read(secretId, endingAfter(timeoutMs)).catch(undefinedIfMissing),
      );
      const inspected = { ...tokenType, secretId: value?.ARN ?? secretId };
      const token = value?.SecretString && parseStoredToken(value.SecretString, key);
      return { ...inspected, ...(token ? tokenStateOf(value.VersionId!, token) : { access: 'ok' }) };
    } catch (error) {
      return { ...tokenType, secretId, ...secretFailureOf(error, secretId) };
    }
  }

  private async stateOf(
    secret: DescribeSecretResponse,
    { kind, secretId }: { kind: CredentialKind; secretId: string },
    fields: FieldNames | undefined,
    createdAtMsById: ReadonlyMap<string, number>,
    options: CallOptions,
    read: ReadValue,
  ): Promise<CredentialState> {
    const labels = labelsOf(secret);
    const currentId = holderOf(labels, 'AWSCURRENT');
    const value =
      kind === 'api-key' && currentId !== undefined
        ? currentKey(await read(secretId, options), fields)
        : undefined;
    const currentCreatedMs = value?.createdAtMs ?? createdAtMsById.get(currentId ?? '');
    const createdAtMs = needsTimes(secret, currentId, currentCreatedMs)
      ? await versionTimes(this.client, secretId, options)
      : new Map([[currentId, currentCreatedMs]]);
    const versions = [...labels].map(([versionId, stages]): SnapshotVersion => {
      const createdMs = createdAtMs.get(versionId);
      return {
        versionId,
        labels: [...stages],
        ...(createdMs !== undefined && { createdAt: isoText(createdMs) }),
      };
    });
    const sinceMs = currentSinceMs(secret.LastRotatedDate?.getTime(), createdAtMs.get(currentId));
    const proof =
      kind === 'api-key'
        ? keyProofOf(parseProofRecord(tagsOf(secret)), labels, value?.createdAtMs)
        : undefined;
    const { RotationEnabled: rotationEnabled = false, RotationRules: rules } = secret;
    return {
      access: 'ok',
      versions,
      ...(proof !== undefined && { proof }),
      rotationEnabled,
      rotationSchedule: rotationScheduleOf(
        rotationEnabled,
        rules?.ScheduleExpression,
        rules?.AutomaticallyAfterDays,
      ),
      ...(currentId !== undefined && sinceMs !== undefined && { promotedAt: isoText(sinceMs) }),
      ...(secret.LastChangedDate && { changedAt: secret.LastChangedDate.toISOString() }),
      ...(value?.validUntil !== undefined && { validUntil: value.validUntil }),
      ...(secret.NextRotationDate && { nextRotationAt: secret.NextRotationDate.toISOString() }),
    };
  }
}

/** The creation time and expiry of the current API key, without the key. */
function currentKey(
  { SecretString, CreatedDate }: CurrentValue,
  fields: FieldNames | undefined,
): { createdAtMs: number | undefined; validUntil?: string } {
  const validUntil = parseApiKey(SecretString, fields)?.validUntil;
  return {
    createdAtMs: CreatedDate?.getTime(),
    // Normalized, because Date.parse accepts texts that contain other words.
    ...(validUntil !== undefined && { validUntil: isoText(Date.parse(validUntil)) }),
  };
}

/**
 * Whether to read the creation times of the versions. Always during a rotation, because the age of its versions tells
 * whether it is running or was abandoned. Otherwise only if neither the last rotation nor the current version gives the
 * time of the promotion.
 */
function needsTimes(
  { VersionIdsToStages = {}, LastRotatedDate, LastChangedDate }: DescribeSecretResponse,
  currentId: string | undefined,
  currentCreatedMs: number | undefined,
): boolean {
  const inRotation = Object.entries(VersionIdsToStages).some(
    ([versionId, stages]) =>
      stages.includes(CANDIDATE_LABEL) || (stages.includes('AWSPENDING') && versionId !== currentId),
  );
  if (inRotation) return true;
  if (currentId === undefined || currentCreatedMs !== undefined) return false;
  return !LastRotatedDate || !LastChangedDate || LastChangedDate > LastRotatedDate;
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}
