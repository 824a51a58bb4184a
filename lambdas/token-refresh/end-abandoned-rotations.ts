import {
  credentialKindsOf,
  credentialSecretId,
  type DeploymentFile,
} from '../../core/deployment/deployment-file';
import { SWEEP_INTERVAL_SEC } from '../../core/tokens/lifetimes';
import { mapConcurrently } from '../../core/calls/map-concurrently';
import { ROTATION_ABANDONED_SEC, ROTATION_MAY_RUN_SEC } from '../../core/rotation/rotation';
import { type CredentialKind } from '../../core/secrets/secret-names';
import { type TenantKey, tenantKeyOf } from '../../core/tokens/token-key';
import { StoreError } from '../../core/secrets/store-error';
import { type Clock, type CredentialVersions, type Log } from '../shared/ports';
import { type RefreshMemory } from './refresh-memory';

/** Time between two checks. Each costs a call per credential. */
const CHECK_INTERVAL_MS = 6 * 3600 * 1000;
/** The checks are due at fixed times, within two sweeps, so that a new process does not repeat one. */
const CHECK_WINDOW_MS = 2 * SWEEP_INTERVAL_SEC * 1000;
const PARALLEL = 8;
const CALL_TIMEOUT_MS = 4_000;

export interface AbandonedRotationPorts {
  versions: CredentialVersions;
  clock: Clock;
  memory: RefreshMemory;
  log: Log;
}

/**
 * Every six hours, removes AWSPENDING from the versions of credentials that rotations have left behind: while one has it,
 * every RotateSecret fails, also that of a stack that is updated. Does not touch a rotation that may be running. Logs a
 * credential that exists but cannot be checked, and checks it again after six hours.
 * @param endsAtMs deadline, in ms by the monotonic clock; the next check does what is left
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html (AWSPENDING after a rotation)
 */
export async function endAbandonedRotations(
  ports: AbandonedRotationPorts,
  deployment: DeploymentFile,
  endsAtMs: number,
): Promise<void> {
  const { clock, memory, log } = ports;
  const check = Math.floor(clock.nowMs() / CHECK_INTERVAL_MS);
  const isDue = clock.nowMs() - check * CHECK_INTERVAL_MS < CHECK_WINDOW_MS;
  if (!isDue || memory.rotationCheck === check) return;
  memory.rotationCheck = check;
  const credentials = deployment.tenants.flatMap((tenant) =>
    credentialKindsOf(tenant).map((kind) => ({ tenantId: tenant.tenantId, kind })),
  );

  await mapConcurrently(credentials, PARALLEL, async ({ tenantId, kind }) => {
    if (endsAtMs - clock.monotonicMs() < CALL_TIMEOUT_MS) return;
    try {
      const isEnded = await endAbandoned(ports, deployment, tenantKeyOf(deployment, tenantId), kind);
      if (isEnded) log.info('abandoned rotation ended', { tenantId, credential: kind });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      // Its stack is not deployed.
      if (error.code === 'not_found') return;
      const failure = { code: error.code, detail: error.message };
      log.warn('rotation not checked', { tenantId, credential: kind, ...failure });
    }
  });
}

/** @returns whether a rotation was ended */
async function endAbandoned(
  { versions, clock }: AbandonedRotationPorts,
  deployment: DeploymentFile,
  tenant: TenantKey,
  kind: CredentialKind,
): Promise<boolean> {
  const secretId = credentialSecretId(deployment, tenant, kind);
  const { labels, changedAtMs } = await versions.describe(secretId, CALL_TIMEOUT_MS);
  const [pending] = [...labels].filter(
    ([, stages]) => stages.includes('AWSPENDING') && !stages.includes('AWSCURRENT'),
  );
  if (pending === undefined) return false;
  const [versionId] = pending;
  const createdAtMs = await versions.createdAtMs(secretId, versionId, CALL_TIMEOUT_MS);
  const isOlder = (atMs: number | undefined, sec: number) =>
    atMs !== undefined && clock.nowMs() - atMs > sec * 1000;
  // Secrets Manager may resume an old version. Most steps then change the secret; if not, the run ends with `not_pending`,
  // and its candidate stays staged.
  if (!isOlder(createdAtMs, ROTATION_ABANDONED_SEC) || !isOlder(changedAtMs, ROTATION_MAY_RUN_SEC)) {
    return false;
  }
  const move = { label: 'AWSPENDING', from: versionId, to: undefined };
  return (await versions.moveLabel(secretId, move, CALL_TIMEOUT_MS)) === 'moved';
}
