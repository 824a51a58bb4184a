import { type DeploymentFile } from '../../contract/deployment-file';
import { type TenantKey, type TokenKey } from '../../contract/token-key';
import { type SweepAnswer, type SweepOutcome } from '../../contract/token-refresh';
import { StoreError } from '../shared/domain/store-error';
import { isDue, tokenKeyText } from '../shared/domain/token-lifetime';
import { type Clock, type Log } from '../shared/ports';
import { refreshToken, type RefreshTokenPorts } from './refresh-token';
import { asTokenError, countFailure } from './renewal-failure';

/** Tenants worked on at once: few enough for Secrets Manager's 50 writes a second. */
const PARALLEL = 8;
/** One token gets no more than this, so that a slow tenant does not use up the others' time. */
const RENEWAL_MS = 10_000;
/** The credential version of a tenant whose credentials are gone: none of its tokens is of this one. */
const NO_VERSION = 'none';

interface TokenReport {
  key: TokenKey;
  outcome: SweepOutcome;
  message?: string;
}

/**
 * Renews every token of the deployment that is due or of a retired credential, earliest expiry first.
 * A failing tenant never stops the others; a tenant that was never loaded is no failure.
 * @param endsAtMs tokens not begun by then, in ms by the monotonic clock, are left to the next sweep
 */
export async function sweep(
  ports: RefreshTokenPorts & { log: Log },
  deployment: DeploymentFile,
  endsAtMs: number,
): Promise<SweepAnswer> {
  const { clock, log, memory } = ports;
  const startedAtMs = clock.monotonicMs();
  const waiting = inTurn(keysOf(deployment).sort((a, b) => knownExpiryMs(a) - knownExpiryMs(b)));
  const credentialVersionOf = onceByTenant((tenant) => {
    const timeoutMs = deadlineOf(clock, endsAtMs) - clock.monotonicMs();
    return ports.credentials.currentVersionId(tenant, timeoutMs);
  });
  const reports: TokenReport[] = [];

  async function work(): Promise<void> {
    for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
      for (const key of turn) {
        const isLate = clock.monotonicMs() >= endsAtMs;
        reports.push(
          isLate ? { key, outcome: 'skipped' } : await sweepOne(ports, key, credentialVersionOf, endsAtMs),
        );
      }
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work));

  const answer = summarize(deployment, reports);
  for (const report of reports) {
    if (isFailure(report)) {
      const { key, outcome, message } = report;
      const { tenantId, scope } = key;
      log.error('token not renewed', {
        tenantId,
        interface: key.interface,
        scope,
        code: outcome,
        detail: message ?? '',
      });
    }
  }
  const { tokens, refreshed, failed } = answer;
  log.info('sweep ended', {
    tokens,
    refreshed,
    failed,
    durationMs: Math.round(clock.monotonicMs() - startedAtMs),
  });
  return answer;

  function knownExpiryMs(key: TokenKey): number {
    return memory.stored.get(tokenKeyText(key))?.token?.expiresAtMs ?? 0;
  }
}

async function sweepOne(
  ports: RefreshTokenPorts,
  key: TokenKey,
  credentialVersionOf: (tenant: TenantKey) => Promise<string | undefined>,
  endsAtMs: number,
): Promise<TokenReport> {
  const { clock, memory, metrics, tokens } = ports;
  const deadlineMs = deadlineOf(clock, endsAtMs);
  try {
    const loadedVersionId = await credentialVersionOf(key);
    if (loadedVersionId === undefined) {
      const { token } = await tokens.read(key, deadlineMs - clock.monotonicMs());
      if (token === undefined) return { key, outcome: 'not_loaded' };
    }
    const credentialVersionId = loadedVersionId ?? NO_VERSION;
    const known = memory.stored.get(tokenKeyText(key))?.token;
    if (known?.credentialVersionId === credentialVersionId && !isDue(key, known.expiresAtMs, clock.nowMs())) {
      return { key, outcome: 'fresh' };
    }
    const demand = { minValidityMs: 0, credentialVersionId, deadlineMs };
    const { refreshed, failure } = await refreshToken(ports, key, demand);
    if (failure !== undefined) return { key, outcome: failure.code, message: failure.message };
    return { key, outcome: refreshed ? 'refreshed' : 'fresh' };
  } catch (error) {
    const failure = asTokenError(error);
    // What refreshToken threw, it has counted.
    if (error instanceof StoreError) countFailure(metrics, failure, undefined);
    return { key, outcome: failure.code, message: failure.message };
  }
}

function deadlineOf(clock: Clock, endsAtMs: number): number {
  return Math.min(clock.monotonicMs() + RENEWAL_MS, endsAtMs);
}

/**
 * Groups tokens by credential and endpoint, each group where its first token stood. A group is worked off one by one,
 * so that what the platform says of one token, that it refuses the credential or asks to wait, holds for the next.
 */
function inTurn(keys: readonly TokenKey[]): TokenKey[][] {
  const groups = new Map<string, TokenKey[]>();
  for (const key of keys) {
    const name = JSON.stringify([key.tenantId, key.interface]);
    groups.set(name, [...(groups.get(name) ?? []), key]);
  }
  return [...groups.values()];
}

function keysOf({ environment, platformRegion, tenants }: DeploymentFile): TokenKey[] {
  return tenants.flatMap(({ tenantId, tokens }) =>
    tokens.map((target) => ({ environment, platformRegion, tenantId, ...target })),
  );
}

/** The current version of a credential changes seldom, so one look per tenant and sweep is enough. */
function onceByTenant<T>(look: (tenant: TenantKey) => Promise<T>): (tenant: TenantKey) => Promise<T> {
  const looks = new Map<string, Promise<T>>();
  return (tenant) => {
    const known = looks.get(tenant.tenantId);
    if (known !== undefined) return known;
    const started = look(tenant);
    looks.set(tenant.tenantId, started);
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
      tokens: tokens.map((target) => {
        const report = reports.find(
          ({ key }) =>
            key.tenantId === tenantId && key.interface === target.interface && key.scope === target.scope,
        )!;
        return { ...target, outcome: report.outcome, ...(report.message && { message: report.message }) };
      }),
    })),
  };
}

/** Never loaded is no failure, and has no message. */
function isFailure({ outcome, message }: TokenReport): boolean {
  if (outcome === 'not_loaded') return message !== undefined;
  return outcome !== 'fresh' && outcome !== 'refreshed';
}
