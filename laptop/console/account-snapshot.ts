import { currentSinceMs } from '../../core/secrets/current-since';
import {
  type CredentialSnapshot,
  type CredentialState,
  type DeploymentSnapshot,
  type SecretFailure,
  type TokenSnapshot,
} from '../../core/deployment/deployment-snapshot';
import {
  adoptedSecret,
  credentialKindsOf,
  credentialSecretId,
  type DeploymentFile,
  type FieldNames,
} from '../../core/deployment/deployment-file';
import { type ProbeAnswer } from '../../core/restore/restore-operation';
import { parseProofRecord } from '../../core/rotation/proof-record';
import { keyProofOf } from '../../core/rotation/proven-versions';
import { rotationScheduleOf } from '../../core/rotation/rotation';
import { parseApiKey } from '../../core/secrets/credential-values';
import { type CredentialKind, tokenSecretName } from '../../core/secrets/secret-names';
import { type TenantKey, tenantKeyOf, type TokenType } from '../../core/tokens/token-key';
import { parseStoredToken, tokenStateOf } from '../../core/tokens/stored-token';
import { type Account, type Secret, type SecretVersion } from 'cdk-on-loopback';

/**
 * Takes the same snapshot of a deployment as credential-watch, but straight from the account, so that it works whatever
 * state the functions are in. It holds times and version ids, no secret values.
 * @param restore what the restore function last found out
 */
export function snapshotOf(
  account: Account,
  deployment: DeploymentFile,
  nowMs: number,
  restore: ProbeAnswer | undefined,
): DeploymentSnapshot {
  return {
    takenAt: isoText(nowMs),
    deployment,
    tenants: deployment.tenants.map(({ tenantId, tokens, apiKey }) => {
      const tenant = tenantKeyOf(deployment, tenantId);
      return {
        tenantId,
        credentials: credentialKindsOf({ apiKey }).map((kind) =>
          credentialOf(account, deployment, tenant, kind),
        ),
        tokens: tokens.map((tokenType) => tokenOf(account, deployment, tenant, tokenType)),
      };
    }),
    ...(restore !== undefined && { restore }),
  };
}

/** A secret by ARN or name, or why it cannot be read. */
function findSecret({ secrets }: Account, secretId: string): Secret | SecretFailure {
  const secret = secrets.get(secretId) ?? secrets.named(secretId);
  if (secret === undefined) return { access: 'missing' };
  return secret.deletedAtMs === undefined ? secret : { access: 'scheduled_for_deletion' };
}

/** The `AWSCURRENT` version of a secret. */
function currentVersion({ versions }: Secret): SecretVersion | undefined {
  return [...versions.values()].find(({ stages }) => stages.has('AWSCURRENT'));
}

function credentialOf(
  account: Account,
  deployment: DeploymentFile,
  tenant: TenantKey,
  kind: CredentialKind,
): CredentialSnapshot {
  const secretId = credentialSecretId(deployment, tenant, kind);
  const secret = findSecret(account, secretId);
  if ('access' in secret) return { kind, secretId, ...secret };
  const { fields } = adoptedSecret(deployment, tenant, kind) ?? {};
  return { kind, secretId, ...stateOf(secret, kind, fields) };
}

function stateOf(secret: Secret, kind: CredentialKind, fields: FieldNames | undefined): CredentialState {
  const { rotation, versions } = secret;
  const isRotated = rotation?.isEnabled ?? false;
  const current = currentVersion(secret);
  const sinceMs = current && currentSinceMs(rotation?.lastRotatedAtMs, current.createdAtMs);
  const isKey = kind === 'api-key';
  const validUntil = isKey ? parseApiKey(current?.secretString, fields)?.validUntil : undefined;
  const labels = new Map([...versions].map(([id, { stages }]) => [id, [...stages]]));
  const proof = isKey ? keyProofOf(parseProofRecord(secret.tags), labels, current?.createdAtMs) : undefined;
  return {
    access: 'ok',
    versions: [...versions.values()]
      .filter(({ stages }) => stages.size > 0)
      .map(({ versionId, stages, createdAtMs }) => ({
        versionId,
        labels: [...stages],
        createdAt: isoText(createdAtMs),
      })),
    ...(proof !== undefined && { proof }),
    rotationEnabled: isRotated,
    rotationSchedule: rotationScheduleOf(
      isRotated,
      rotation?.rules.scheduleExpression,
      rotation?.rules.automaticallyAfterDays,
    ),
    ...(sinceMs !== undefined && { promotedAt: isoText(sinceMs) }),
    // Normalized, because Date.parse accepts texts that contain other words.
    ...(validUntil !== undefined && { validUntil: isoText(Date.parse(validUntil)) }),
    ...(rotation?.nextRotationAtMs !== undefined && { nextRotationAt: isoText(rotation.nextRotationAtMs) }),
  };
}

function tokenOf(
  account: Account,
  { prefix }: DeploymentFile,
  tenant: TenantKey,
  tokenType: TokenType,
): TokenSnapshot {
  const key = { ...tenant, ...tokenType };
  const secretId = tokenSecretName(prefix, key);
  const secret = findSecret(account, secretId);
  if ('access' in secret) return { ...tokenType, secretId, ...secret };
  const current = currentVersion(secret);
  const token = parseStoredToken(current?.secretString ?? '', key);
  if (current === undefined || token === undefined) return { ...tokenType, secretId, access: 'ok' };
  return { ...tokenType, secretId, ...tokenStateOf(current.versionId, token) };
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}
