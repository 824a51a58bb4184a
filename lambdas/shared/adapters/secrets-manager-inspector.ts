import {
  DescribeSecretCommand,
  type DescribeSecretResponse,
  GetSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
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
import { type SecretInspector } from '../ports';
import { endingAfter } from './call-timeout';
import { secretFailureOf, storeErrorOf } from './secrets-manager-error';
import { SecretsManagerTokenReader } from './secrets-manager-token-reader';
import { versionTimes } from './version-times';

type CallOptions = ReturnType<typeof endingAfter>;

/**
 * Inspects a deployment's secrets in Secrets Manager: labels and times of credentials, expiry of API keys, and metadata of
 * tokens. Changes nothing.
 */
export class SecretsManagerInspector implements SecretInspector {
  private readonly client: SecretsManagerClient;
  private readonly deployment: DeploymentFile;
  private readonly tokens: SecretsManagerTokenReader;

  constructor(client: SecretsManagerClient, deployment: DeploymentFile) {
    this.client = client;
    this.deployment = deployment;
    this.tokens = new SecretsManagerTokenReader(client, deployment.prefix);
  }

  async credential(tenant: TenantKey, kind: CredentialKind, timeoutMs: number): Promise<CredentialSnapshot> {
    const secretId = credentialSecretId(this.deployment, tenant, kind);
    const options = endingAfter(timeoutMs);
    try {
      const secret = await this.describe(secretId, options);
      const found = { kind, secretId: secret.ARN ?? secretId };
      if (secret.DeletedDate !== undefined) return { ...found, access: 'scheduled_for_deletion' };
      const { fields } = adoptedSecret(this.deployment, tenant, kind) ?? {};
      return { ...found, ...(await this.stateOf(secret, found, fields, options)) };
    } catch (error) {
      return { kind, secretId, ...secretFailureOf(error, secretId) };
    }
  }

  async token(tenant: TenantKey, tokenType: TokenType, timeoutMs: number): Promise<TokenSnapshot> {
    const key = tokenKeyOf(tenant, tokenType);
    const secretId = tokenSecretName(this.deployment.prefix, key);
    try {
      const version = await this.tokens.read(key, 'AWSCURRENT', timeoutMs);
      const found = { ...tokenType, secretId: version?.secretArn ?? secretId, access: 'ok' as const };
      if (version?.token === undefined) return found;
      const { issuedAtMs, expiresAtMs, sameUntilMs, credentialVersionId } = version.token;
      const { refusedCredentialVersionId, refusedTokens } = version.token;
      return {
        ...found,
        token: {
          versionId: version.versionId,
          issuedAt: isoText(issuedAtMs),
          expiresAt: isoText(expiresAtMs),
          ...(sameUntilMs !== undefined && { sameUntil: isoText(sameUntilMs) }),
          credentialVersionId,
          ...(refusedCredentialVersionId !== undefined && { refusedCredentialVersionId }),
          ...(refusedTokens && {
            refusedExpiresAt: refusedTokens.map((token) => isoText(token.expiresAtMs)),
          }),
        },
      };
    } catch (error) {
      return { ...tokenType, secretId, ...secretFailureOf(error, secretId) };
    }
  }

  private async stateOf(
    secret: DescribeSecretResponse,
    { kind, secretId }: { kind: CredentialKind; secretId: string },
    fields: FieldNames | undefined,
    options: CallOptions,
  ): Promise<CredentialState> {
    const labels = Object.entries(secret.VersionIdsToStages ?? {});
    const tags = Object.fromEntries((secret.Tags ?? []).map(({ Key, Value }) => [Key!, Value ?? '']));
    const currentId = labels.find(([, stages]) => stages.includes('AWSCURRENT'))?.[0];
    const value =
      kind === 'api-key' && currentId !== undefined
        ? await this.currentKey(secretId, fields, options)
        : undefined;
    const createdAtMs = needsTimes(secret, currentId, value?.createdAtMs)
      ? await versionTimes(this.client, secretId, options)
      : new Map([[currentId, value?.createdAtMs]]);
    const versions = labels.map(([versionId, stages]): SnapshotVersion => {
      const createdMs = createdAtMs.get(versionId);
      return { versionId, labels: stages, ...(createdMs !== undefined && { createdAt: isoText(createdMs) }) };
    });
    const sinceMs = currentSinceMs(secret.LastRotatedDate?.getTime(), createdAtMs.get(currentId));
    const proof =
      kind === 'api-key'
        ? keyProofOf(parseProofRecord(tags), new Map(labels), value?.createdAtMs)
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

  private async describe(secretId: string, options: CallOptions): Promise<DescribeSecretResponse> {
    try {
      return await this.client.send(new DescribeSecretCommand({ SecretId: secretId }), options);
    } catch (error) {
      throw storeErrorOf(error, 'secretsmanager:DescribeSecret', secretId);
    }
  }

  /** The creation time and expiry of the current API key, without the key. */
  private async currentKey(
    secretId: string,
    fields: FieldNames | undefined,
    options: CallOptions,
  ): Promise<{ createdAtMs?: number | undefined; validUntil?: string }> {
    try {
      const { SecretString, CreatedDate } = await this.client.send(
        new GetSecretValueCommand({ SecretId: secretId }),
        options,
      );
      const validUntil = parseApiKey(SecretString, fields)?.validUntil;
      return {
        createdAtMs: CreatedDate?.getTime(),
        // Normalized, because Date.parse accepts texts that contain other words.
        ...(validUntil !== undefined && { validUntil: isoText(Date.parse(validUntil)) }),
      };
    } catch (error) {
      throw storeErrorOf(error, 'secretsmanager:GetSecretValue', secretId);
    }
  }
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
