import { type DeploymentFile } from '../../contract/deployment-file';
import {
  isSameTokenType,
  type TenantKey,
  type TokenKey,
  tokenKeyOf,
  tokenKeyText,
  tokenTypeOf,
} from '../../contract/token-key';
import { type SweepAnswer } from '../../contract/token-refresh';
import { StoreError } from '../shared/domain/store-error';
import { type TokenError } from '../shared/domain/token-errors';
import { isDue } from '../shared/domain/token-lifetime';
import { type Log } from '../shared/ports';
import { isFailure, recordSweepMetrics, type TokenReport } from './record-sweep-metrics';
import { tenantAtInterface } from './refresh-memory';
import {
  asTokenError,
  countFailure,
  countFault,
  refreshToken,
  type RefreshTokenPorts,
  renewalDeadlineMs,
  WRITE_RESERVE_MS,
} from './refresh-token';

/** Groups processed in parallel: few enough for Secrets Manager's 50 writes per second. */
const PARALLEL = 8;
/** Time limit to read a credential's version, which leaves time for a renewal without it. */
const VERSION_TIMEOUT_MS = 4_000;
/** Stands for the version of a tenant without a loaded credential. Matches no token. */
const NO_VERSION = 'none';

/** The current version of a tenant's credential, or why it could not be read. */
interface CredentialVersion {
  versionId?: string;
  failure?: TokenError;
}

/**
 * Renews every token of the deployment that is due or of a retired credential. A failing tenant never stops the others. If
 * a credential's version cannot be read, its tokens are renewed by expiry alone.
 *
 * Order: groups of one tenant and interface run in parallel, tokens in a group one by one, both by earliest known expiry.
 * Tokens that this process has not read yet come first. Tenants whose last request failed come last: otherwise they would
 * always be first, and use up the time of all others.
 * @param endsAtMs deadline, in ms by the monotonic clock; tokens that cannot be renewed before it are left to the next sweep
 */
export async function sweep(
  ports: RefreshTokenPorts & { log: Log },
  deployment: DeploymentFile,
  endsAtMs: number,
): Promise<SweepAnswer> {
  const { clock, log, memory } = ports;
  const startedAtMs = clock.monotonicMs();
  const waiting = inTurn(keysOf(deployment).sort((a, b) => urgencyMs(a) - urgencyMs(b)));
  const versionOfCredential = onceByTenant(async (tenant): Promise<CredentialVersion> => {
    const timeoutMs = Math.min(VERSION_TIMEOUT_MS, endsAtMs - clock.monotonicMs());
    try {
      return { versionId: (await ports.credentials.currentVersionId(tenant, timeoutMs)) ?? NO_VERSION };
    } catch (error) {
      return { failure: asTokenError(error) };
    }
  });
  const reports: TokenReport[] = [];

  async function work(): Promise<void> {
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
      for (const key of turn) {
        const isLate = endsAtMs - clock.monotonicMs() <= WRITE_RESERVE_MS;
        reports.push(
          isLate ? { key, outcome: 'skipped' } : await sweepOne(ports, key, versionOfCredential, endsAtMs),
        );
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work));

  const answer = summarize(deployment, reports);
  for (const report of reports) {
    if (isFailure(report)) {
      const { key, outcome, failure, isRenewed } = report;
      log.error(isRenewed === true ? 'token renewed with the former credential' : 'token not renewed', {
        tenantId: key.tenantId,
        ...tokenTypeOf(key),
        code: outcome,
        detail: failure?.message ?? '',
      });
    }
  }
  const { tokens, refreshed, failed } = answer;
  const durationMs = Math.round(clock.monotonicMs() - startedAtMs);
  log.info('sweep ended', { tokens, refreshed, failed, durationMs });
  recordSweepMetrics(ports, reports, durationMs);
  return answer;

  function urgencyMs(key: TokenKey): number {
    if (memory.failing.has(tenantAtInterface(key))) return Number.MAX_SAFE_INTEGER;
    return memory.stored.get(tokenKeyText(key))?.token?.expiresAtMs ?? 0;
  }
}

async function sweepOne(
  ports: RefreshTokenPorts,
  key: TokenKey,
  versionOfCredential: (tenant: TenantKey) => Promise<CredentialVersion>,
  endsAtMs: number,
): Promise<TokenReport> {
  const { clock, memory, metrics, tokens } = ports;
  const deadlineMs = renewalDeadlineMs(clock, endsAtMs);
  const failed = (failure: TokenError): TokenReport => ({ key, outcome: failure.code, failure });
  try {
    const { versionId, failure: unseen } = await versionOfCredential(key);
    if (versionId === NO_VERSION) {
      const entry = await tokens.read(key, deadlineMs - clock.monotonicMs());
      memory.stored.set(tokenKeyText(key), entry);
      if (entry.token === undefined) return { key, outcome: 'not_loaded' };
    }
    if (!isKnownFresh(ports, key, versionId)) {
      const requirement = { minValidityMs: 0, credentialVersionId: versionId, deadlineMs };
      const { refreshed, failure } = await refreshToken(ports, key, requirement);
      if (failure !== undefined) return { ...failed(failure), isRenewed: refreshed };
      if (refreshed) {
        // The new token is of the current credential, so the unknown version does not matter.
        if (unseen !== undefined) countFault(metrics, unseen.fault);
        return { key, outcome: 'refreshed' };
      }
    }
    if (unseen === undefined) return { key, outcome: 'fresh' };
    countFailure(metrics, unseen, undefined);
    return failed(unseen);
  } catch (error) {
    const failure = asTokenError(error);
    // refreshToken has already counted the errors that it throws.
    if (error instanceof StoreError) countFailure(metrics, failure, undefined);
    return failed(failure);
  }
}

/** Whether the token last read is not due, and of that credential version if the version is known. */
function isKnownFresh(
  { clock, memory }: RefreshTokenPorts,
  key: TokenKey,
  versionId: string | undefined,
): boolean {
  const known = memory.stored.get(tokenKeyText(key))?.token;
  if (known === undefined || isDue(key, known.expiresAtMs, clock.nowMs())) return false;
  return versionId === undefined || versionId === known.credentialVersionId;
}

/**
 * Groups tokens by credential and endpoint, in order of each group's first token. A group runs one by one, so that a
 * refusal or Retry-After for one token also applies to the next.
 */
function inTurn(keys: readonly TokenKey[]): TokenKey[][] {
  const groups = new Map<string, TokenKey[]>();
  for (const key of keys) {
    const name = tenantAtInterface(key);
    groups.set(name, [...(groups.get(name) ?? []), key]);
  }
  return [...groups.values()];
}

function keysOf({ environment, platformRegion, tenants }: DeploymentFile): TokenKey[] {
  return tenants.flatMap(({ tenantId, tokens }) =>
    tokens.map((tokenType) => tokenKeyOf({ environment, platformRegion, tenantId }, tokenType)),
  );
}

/** Calls `read` once per tenant and returns the same result to all callers. */
function onceByTenant<T>(read: (tenant: TenantKey) => Promise<T>): (tenant: TenantKey) => Promise<T> {
  const reads = new Map<string, Promise<T>>();
  return (tenant) => {
    const known = reads.get(tenant.tenantId);
    if (known !== undefined) return known;
    const started = read(tenant);
    reads.set(tenant.tenantId, started);
    return started;
  };
}

function summarize({ tenants }: DeploymentFile, reports: TokenReport[]): SweepAnswer {
  const failed = reports.filter(isFailure).length;
  return {
    ok: failed === 0,
    tokens: reports.length,
    refreshed: reports.filter(({ outcome }) => outcome === 'refreshed').length,
    failed,
    tenants: tenants.map(({ tenantId, tokens }) => ({
      tenantId,
      tokens: tokens.map((tokenType) => {
        const report = reports.find(
          ({ key }) => key.tenantId === tenantId && isSameTokenType(key, tokenType),
        )!;
        const { outcome, failure } = report;
        return { ...tokenType, outcome, ...(failure && { message: failure.message }) };
      }),
    })),
  };
}
