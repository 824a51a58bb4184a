import {
  type CredentialSnapshot,
  type CredentialState,
  type DeploymentSnapshot,
  type SnapshotVersion,
  type TokenSnapshot,
  type TokenState,
} from '../../../core/deployment/deployment-snapshot';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type CredentialKind } from '../../../core/secrets/secret-names';
import { type Finding } from '../../../core/findings/finding';
import { inspect } from '../../../core/findings/inspect';
import { deploymentOf, TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

export const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;
/** The maximum age of credentials in every snapshot here. */
export const MAX_AGE_DAYS = 90;

/** A time in a snapshot, `ms` after noon. */
export function at(afterNoonMs: number): string {
  return new Date(NOON_MS + afterNoonMs).toISOString();
}

/** A version of this age, or of unknown age. */
export function version(versionId: string, labels: string[], ageMs: number | undefined): SnapshotVersion {
  return { versionId, labels, ...(ageMs !== undefined && { createdAt: at(-ageMs) }) };
}

/** A healthy credential, with changes. */
export function credential(
  kind: CredentialKind,
  change: Partial<CredentialState> = {},
): CredentialSnapshot & CredentialState {
  return {
    kind,
    secretId: `arn:${kind}`,
    access: 'ok',
    versions: [version('current', ['AWSCURRENT'], DAY_MS)],
    promotedAt: at(-DAY_MS),
    rotationEnabled: true,
    ...(kind === 'api-key' && { validUntil: at(200 * DAY_MS) }),
    ...change,
  };
}

export const NOT_LOADED: Partial<CredentialState> = {
  versions: [],
  promotedAt: undefined,
  validUntil: undefined,
};

/** A token of the current credential, with this validity left. */
export function token(
  lifeLeftMs = 50 * MINUTE_MS,
  credentialVersionId = 'current',
): TokenSnapshot & TokenState {
  return {
    interface: 'content',
    scope: 'api/read',
    secretId: 'arn:token',
    access: 'ok',
    token: {
      versionId: 'token-version',
      issuedAt: at(lifeLeftMs - 60 * MINUTE_MS),
      expiresAt: at(lifeLeftMs),
      credentialVersionId,
    },
  };
}

/** A deployment with one healthy tenant, with changes. */
export function snapshotOf({
  clientCredentials = credential('client-credentials'),
  apiKey = credential('api-key'),
  tokens = [token()],
}: {
  clientCredentials?: CredentialSnapshot;
  apiKey?: CredentialSnapshot;
  tokens?: TokenSnapshot[];
} = {}): DeploymentSnapshot {
  return {
    takenAt: at(0),
    deployment: deploymentOf([TENANT_ID]),
    tenants: [{ tenantId: TENANT_ID, credentials: [clientCredentials, apiKey], tokens }],
  };
}

/** The findings at noon, of a deployment with these changes. Each is complete: sentences, and a command or a remedy. */
export function findingsIn(
  parts: Parameters<typeof snapshotOf>[0],
  change: Partial<DeploymentFile> = {},
): Finding[] {
  const snapshot = snapshotOf(parts);
  Object.assign(snapshot.deployment, change);
  const findings = inspect({ snapshot, nowMs: NOON_MS });
  for (const { message, meaning, repair } of findings) {
    expect(message).toMatch(/^(?!.*(undefined|NaN|Invalid)).*\.$/);
    expect(meaning).toMatch(/\.$/);
    expect(repair.command ?? `latchkey ${repair.remedy!}`).toMatch(/^(latchkey (?!undefined)|npx cdk )/);
  }
  return findings;
}

/** Findings as `severity kind`. */
export function namesOf(findings: readonly Finding[]): string[] {
  return findings.map(({ severity, kind }) => `${severity} ${kind}`);
}
