import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type TokenValue } from '../../../core/secrets/secret-values';
import { type Secret } from 'cdk-on-loopback/testing';
import { currentValue } from '../lambdas/restore-bundle';
import {
  DEPLOYMENT_KEY,
  recordAsProven,
  type RestoreApiUnderTest,
  type TenantUnderTest,
} from './restore-api-under-test';

const HOUR_MS = 60 * 60 * 1000;

/** A version of a secret, as a case needs it. */
export interface HeldVersion {
  /** Stored as it is, or an object as JSON. */
  value: string | object;
  createdHoursAgo?: number;
}

/**
 * The part of the system that a case uses: its own content, the secrets, and the restore function's
 * configuration.
 */
export class ClauseWorld {
  readonly api: RestoreApiUnderTest;
  contentId = '';
  readonly #secretsAsLoaded: Map<Secret, Pick<Secret, 'versions' | 'rotation' | 'deletedAtMs' | 'tags'>>;
  readonly #deploymentFile: string;
  readonly #deploymentText: string;
  readonly #remainingMs: number;
  readonly #touched = new Set<string>();

  constructor(api: RestoreApiUnderTest) {
    this.api = api;
    this.#secretsAsLoaded = new Map(
      [...api.account.secrets.values()].map((secret) => [secret, copyOf(secret)]),
    );
    this.#remainingMs = api.functions.remainingMs;
    const restore = [...api.account.functions.values()].find(({ name }) => name.includes('RestoreFunction'))!;
    this.#deploymentFile = join(restore.codeDir, 'deployment.json');
    this.#deploymentText = readFileSync(this.#deploymentFile, 'utf8');
  }

  get tenant(): TenantUnderTest {
    return this.api.tenants[0];
  }

  get neighbor(): TenantUnderTest {
    return this.api.tenants[1];
  }

  /**
   * Replaces the versions of one of the tenant's secrets.
   * @param path below the tenant's: `api-key`, `token/content/api-all`
   */
  hold(
    path: string,
    { current, previous }: { current?: HeldVersion; previous?: HeldVersion },
    { rotatedHoursAgo }: { rotatedHoursAgo?: number } = {},
  ): void {
    const secret = this.secret(path);
    secret.versions = new Map();
    const add = (stage: string, { value, createdHoursAgo = 0 }: HeldVersion) => {
      const versionId = `held-by-the-case-${stage}-000000000000`;
      secret.versions.set(versionId, {
        versionId,
        secretString: typeof value === 'string' ? value : JSON.stringify(value),
        stages: new Set([stage]),
        createdAtMs: Date.now() - createdHoursAgo * HOUR_MS,
      });
    };
    if (previous) add('AWSPREVIOUS', previous);
    if (current) add('AWSCURRENT', current);
    if (path === 'api-key') recordAsProven(secret);
    if (rotatedHoursAgo !== undefined) {
      const lastRotatedAtMs = Date.now() - rotatedHoursAgo * HOUR_MS;
      secret.rotation = { lambdaArn: '', rules: {}, isEnabled: true, ...secret.rotation, lastRotatedAtMs };
    }
    if (path === 'token/content/api-write') this.startNew('RestoreFunction');
  }

  secret(path: string, { tenantId } = this.tenant): Secret {
    const name = `/${tenantId}/${path}`;
    return [...this.#secretsAsLoaded.keys()].find((secret) => secret.name.endsWith(name))!;
  }

  /**
   * A stored token of the tenant.
   * @param path `token/content/api-all`
   */
  storedToken(path: string): TokenValue {
    return JSON.parse(currentValue(this.secret(path))!) as TokenValue;
  }

  /** A token that the platform issues to another client of the tenant. */
  async issuedToken(): Promise<string> {
    const { sandbox } = this.api;
    const owner = { ...DEPLOYMENT_KEY, tenantId: this.tenant.tenantId };
    // The token is of the newest client.
    await sandbox.control('POST', 'credentials', owner);
    const token = { ...owner, scope: 'api/write' };
    const { accessToken } = await sandbox.control<{ accessToken: string }>('POST', 'tokens', token);
    return accessToken;
  }

  apiKey(apiKey: string, validForHours = 24): object {
    return { apiKey, validUntil: new Date(Date.now() + validForHours * HOUR_MS).toISOString() };
  }

  /** Changes the restore function's configuration of the platform. */
  configure(change: { restore?: Partial<DeploymentFile['restore']>; contentBaseUrl?: string }): void {
    const { platform, restore, ...rest } = JSON.parse(this.#deploymentText) as DeploymentFile;
    const { contentBaseUrl = platform.contentBaseUrl } = change;
    const changed = {
      ...rest,
      platform: { ...platform, contentBaseUrl },
      restore: { ...restore, ...change.restore },
    };
    writeFileSync(this.#deploymentFile, JSON.stringify(changed));
    this.startNew('RestoreFunction');
  }

  /** Clears the caches of a function, now and after the case. */
  startNew(named: string): void {
    this.#touched.add(named);
    this.api.functions.startNewProcesses(named);
  }

  undo(): void {
    if (this.#isAnyTokenRenewed()) {
      // Both functions limit renewals by a cache, which must be cleared.
      this.#touched.add('RestoreFunction').add('TokenRefresh');
    }
    if (this.#touched.size === 0) return;
    this.api.functions.remainingMs = this.#remainingMs;
    for (const [secret, asLoaded] of this.#secretsAsLoaded) Object.assign(secret, copyOf(asLoaded));
    writeFileSync(this.#deploymentFile, this.#deploymentText);
    for (const named of this.#touched) this.api.functions.startNewProcesses(named);
    this.#touched.clear();
  }

  #isAnyTokenRenewed(): boolean {
    return [...this.#secretsAsLoaded].some(([{ versions }, asLoaded]) =>
      [...versions.keys()].some((versionId) => !asLoaded.versions.has(versionId)),
    );
  }
}

function copyOf({
  versions,
  rotation,
  deletedAtMs,
  tags,
}: Pick<Secret, 'versions' | 'rotation' | 'deletedAtMs' | 'tags'>) {
  const copied = [...versions].map(
    ([id, version]) => [id, { ...version, stages: new Set(version.stages) }] as const,
  );
  return { versions: new Map(copied), rotation: rotation && { ...rotation }, deletedAtMs, tags: { ...tags } };
}
