import { type DeploymentFile } from '../../contract/deployment-file';
import { type TenantKey, type TokenKey } from '../../contract/token-key';
import { type SweepAnswer, type SweepOutcome } from '../../contract/token-refresh';
import { StoreError } from '../shared/domain/store-error';
import { TokenError } from '../shared/domain/token-errors';
import { isDue, tokenKeyText } from '../shared/domain/token-lifetime';
import { type Log } from '../shared/ports';
import { refreshToken, type RefreshTokenPorts } from './refresh-token';

/** Tokens worked on at once: few enough for Secrets Manager's 50 writes a second. */
const PARALLEL = 8;
/** One token gets no more than this, so that a slow tenant does not use up the others' time. */
const RENEWAL_MS = 10_000;

interface TokenReport {
  key: TokenKey;
  outcome: SweepOutcome;
  message?: string;
}

/**
 * Renews every token of the deployment that is due or of a retired credential, earliest expiry first.
 * A failing tenant never stops the others; a tenant that was never loaded is no failure.
 * @param endsAtMs tokens not begun by then, in ms, are left to the next sweep
 */
export async function sweep(
  ports: RefreshTokenPorts & { log: Log },
  deployment: DeploymentFile,
  endsAtMs: number,
): Promise<SweepAnswer> {
  const { clock, log, memory } = ports;
  const startedAtMs = clock.nowMs();
  const waiting = keysOf(deployment).sort((a, b) => knownExpiryMs(a) - knownExpiryMs(b));
  const credentialVersionOf = onceByTenant((tenant) => ports.credentials.currentVersionId(tenant));
  const reports: TokenReport[] = [];

  async function work(): Promise<void> {
    for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
      const isLate = clock.nowMs() >= endsAtMs;
      reports.push(
        isLate ? { key, outcome: 'skipped' } : await sweepOne(ports, key, credentialVersionOf, endsAtMs),
      );
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
  log.info('sweep ended', { tokens, refreshed, failed, durationMs: clock.nowMs() - startedAtMs });
  return answer;

  function knownExpiryMs(key: TokenKey): number {
    return memory.stored.get(tokenKeyText(key))?.expiresAtMs ?? 0;
  }
}

async function sweepOne(
  ports: RefreshTokenPorts,
  key: TokenKey,
  credentialVersionOf: (tenant: TenantKey) => Promise<string | undefined>,
  endsAtMs: number,
): Promise<TokenReport> {
  const { clock, memory } = ports;
  try {
    const credentialVersionId = await credentialVersionOf(key);
    if (credentialVersionId === undefined) return await reportNotLoaded(ports, key);
    const known = memory.stored.get(tokenKeyText(key));
    if (known?.credentialVersionId === credentialVersionId && !isDue(key, known.expiresAtMs, clock.nowMs())) {
      return { key, outcome: 'fresh' };
    }
    const deadlineMs = Math.min(clock.nowMs() + RENEWAL_MS, endsAtMs);
    const { refreshed, failure } = await refreshToken(ports, key, {
      minValidityMs: 0,
      credentialVersionId,
      deadlineMs,
    });
    if (failure !== undefined) return { key, outcome: failure.code, message: failure.message };
    return { key, outcome: refreshed ? 'refreshed' : 'fresh' };
  } catch (error) {
    if (error instanceof TokenError) return { key, outcome: error.code, message: error.message };
    if (!(error instanceof StoreError)) throw error;
    ports.metrics.count('TokenRenewalFailed');
    return { key, outcome: 'store_unavailable', message: error.message };
  }
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

/** Never loaded is silent. A token shows that there was a credential once: then it is a failure, which has a message. */
async function reportNotLoaded(ports: RefreshTokenPorts, key: TokenKey): Promise<TokenReport> {
  const { token } = await ports.tokens.read(key);
  if (token === undefined) return { key, outcome: 'not_loaded' };
  ports.metrics.count('TokenRenewalFailed');
  return { key, outcome: 'not_loaded', message: 'the client credentials are gone; load them again' };
}

function isFailure({ outcome, message }: TokenReport): boolean {
  if (outcome === 'not_loaded') return message !== undefined;
  return outcome !== 'fresh' && outcome !== 'refreshed';
}
