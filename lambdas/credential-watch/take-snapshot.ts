import {
  type DeploymentSnapshot,
  type SecretFailure,
  type TenantSnapshot,
  type TokenSnapshot,
} from '../../core/deployment/deployment-snapshot';
import {
  credentialKindsOf,
  credentialSecretId,
  type DeploymentFile,
  type DeploymentTenant,
} from '../../core/deployment/deployment-file';
import { timeMs } from '../../core/findings/times';
import { tokenSecretName } from '../../core/secrets/secret-names';
import { tenantKeyOf, tokenKeyOf } from '../../core/tokens/token-key';
import { type Clock, type RestoreProbe, type SecretInspector } from '../shared/ports';

/** Maximum parallel inspections of credentials. More would only slow each of them down. */
const PARALLEL = 25;
/**
 * Tokens that are read at a time: five batches. Secrets Manager allows 100 batches a second per account and region.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html (BatchGetSecretValue)
 */
const PARALLEL_TOKENS = 100;
/** Time limit per secret, for all its calls and retries, so that a slow one does not hold up the others. */
const SECRET_TIMEOUT_MS = 10_000;
/** Time limit of the probe. It runs while secrets are inspected. */
const PROBE_TIMEOUT_MS = 15_000;
const NOT_REACHED: SecretFailure = { access: 'unavailable', reason: 'no time was left to inspect it' };

export interface SnapshotPorts {
  deployment: DeploymentFile;
  secrets: SecretInspector;
  /** Undefined without a restore API. */
  restore?: RestoreProbe | undefined;
  clock: Clock;
}

/** Inspects one secret in the remaining time; if there is none, returns a failure. */
type InspectSecret = <T>(
  inspect: (timeoutMs: number) => Promise<T>,
  failed: (failure: SecretFailure) => T,
) => Promise<T>;

/**
 * Inspects every secret of the deployment, or of some of its tenants. Returns a failure in place of each secret that could
 * not be inspected in time.
 * @param tenantIds tenants of the deployment; all if undefined
 * @param endsAtMs deadline, in ms by the monotonic clock
 */
export async function takeSnapshot(
  { deployment, secrets, restore, clock }: SnapshotPorts,
  tenantIds: readonly string[] | undefined,
  endsAtMs: number,
): Promise<DeploymentSnapshot> {
  const takenAt = new Date(clock.nowMs()).toISOString();
  const withDeadline =
    (take: ReturnType<typeof limitConcurrency>): InspectSecret =>
    (inspect, failed) =>
      take(async () => {
        const leftMs = endsAtMs - clock.monotonicMs();
        return leftMs > 0 ? inspect(Math.min(SECRET_TIMEOUT_MS, leftMs)) : failed(NOT_REACHED);
      });
  const [inspectCredential, inspectToken] = [
    withDeadline(limitConcurrency(PARALLEL)),
    withDeadline(limitConcurrency(PARALLEL_TOKENS)),
  ];
  const chosen = deployment.tenants.filter(({ tenantId }) => tenantIds?.includes(tenantId) ?? true);
  const probing = restore?.ask(Math.max(1, Math.min(PROBE_TIMEOUT_MS, endsAtMs - clock.monotonicMs())));
  const tenants = await Promise.all(
    chosen.map((tenant) => inspectTenant(deployment, tenant, secrets, inspectCredential, inspectToken)),
  );
  const probed = await probing;
  return { takenAt, deployment, tenants, ...(probed !== undefined && { restore: probed }) };
}

async function inspectTenant(
  deployment: DeploymentFile,
  declaredTenant: DeploymentTenant,
  secrets: SecretInspector,
  inspectCredential: InspectSecret,
  inspectToken: InspectSecret,
): Promise<TenantSnapshot> {
  const { prefix } = deployment;
  const { tenantId, tokens: declared } = declaredTenant;
  const tenant = tenantKeyOf(deployment, tenantId);
  const tokens = await Promise.all(
    declared.map((tokenType) =>
      inspectToken(
        (timeoutMs) => secrets.token(tenant, tokenType, timeoutMs),
        (failure) => ({
          ...tokenType,
          secretId: tokenSecretName(prefix, tokenKeyOf(tenant, tokenType)),
          ...failure,
        }),
      ),
    ),
  );
  const createdAtMs = creationTimes(tokens);
  const credentials = await Promise.all(
    credentialKindsOf(declaredTenant).map((kind) =>
      inspectCredential(
        (timeoutMs) => secrets.credential(tenant, kind, timeoutMs, createdAtMs),
        (failure) => ({ kind, secretId: credentialSecretId(deployment, tenant, kind), ...failure }),
      ),
    ),
  );
  return { tenantId, credentials, tokens };
}

/** When versions of the client credentials were created, as the tokens say that were requested with them. */
function creationTimes(tokens: readonly TokenSnapshot[]): Map<string, number> {
  return new Map(
    tokens.flatMap((token) => {
      const { credentialVersionId, credentialCreatedAt } = (token.access === 'ok' && token.token) || {};
      const createdMs = timeMs(credentialCreatedAt);
      return credentialVersionId === undefined || createdMs === undefined
        ? []
        : [[credentialVersionId, createdMs] as const];
    }),
  );
}

/** Limits concurrency. Further work waits and starts in order of arrival. */
function limitConcurrency(parallel: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= parallel) await new Promise<void>((begin) => waiting.push(begin));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
