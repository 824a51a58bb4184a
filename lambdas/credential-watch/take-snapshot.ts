import {
  type DeploymentSnapshot,
  type SecretFailure,
  type TenantSnapshot,
} from '../../contract/deployment-snapshot';
import { type DeploymentFile, type DeploymentTenant } from '../../contract/deployment-file';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../contract/secret-names';
import { type Clock, type SecretInspector } from '../shared/ports';

/** Secrets looked at at once: more only make each of them slower. */
const PARALLEL = 25;
/** One secret gets no more than this, with all calls and repetitions, so that a slow one costs the others little. */
const LOOK_MS = 10_000;
const NOT_REACHED: SecretFailure = { access: 'unavailable', reason: 'there was no time left to look at it' };

export interface SnapshotPorts {
  deployment: DeploymentFile;
  secrets: SecretInspector;
  clock: Clock;
}

/** Looks at one secret, within the time given; answers as if it had failed where there is none. */
type Look = <T>(look: (timeoutMs: number) => Promise<T>, failed: (failure: SecretFailure) => T) => Promise<T>;

/**
 * Looks at every secret of the deployment, or of some of its tenants.
 * What could not be looked at says so in its place; so does what was not reached in time.
 * @param tenantIds of the deployment; all of them where undefined
 * @param endsAtMs everything has ended by then, in ms by the monotonic clock
 */
export async function takeSnapshot(
  { deployment, secrets, clock }: SnapshotPorts,
  tenantIds: readonly string[] | undefined,
  endsAtMs: number,
): Promise<DeploymentSnapshot> {
  const takenAt = new Date(clock.nowMs()).toISOString();
  const inTurn = atMost(PARALLEL);
  const look: Look = (take, failed) =>
    inTurn(async () => {
      const leftMs = endsAtMs - clock.monotonicMs();
      return leftMs > 0 ? take(Math.min(LOOK_MS, leftMs)) : failed(NOT_REACHED);
    });
  const asked = deployment.tenants.filter(({ tenantId }) => tenantIds?.includes(tenantId) ?? true);
  const tenants = await Promise.all(asked.map((tenant) => lookAtTenant(deployment, tenant, secrets, look)));
  return { takenAt, deployment, tenants };
}

async function lookAtTenant(
  { environment, platformRegion, prefix }: DeploymentFile,
  { tenantId, tokens }: DeploymentTenant,
  secrets: SecretInspector,
  look: Look,
): Promise<TenantSnapshot> {
  const tenant = { environment, platformRegion, tenantId };
  const credentialLooks = CREDENTIAL_KINDS.map((kind) =>
    look(
      (timeoutMs) => secrets.credential(tenant, kind, timeoutMs),
      (failure) => ({ kind, secretId: credentialSecretName(prefix, tenant, kind), ...failure }),
    ),
  );
  const tokenLooks = tokens.map((target) =>
    look(
      (timeoutMs) => secrets.token(tenant, target, timeoutMs),
      (failure) => ({ ...target, secretId: tokenSecretName(prefix, { ...tenant, ...target }), ...failure }),
    ),
  );
  const [credentials, tokenStates] = await Promise.all([
    Promise.all(credentialLooks),
    Promise.all(tokenLooks),
  ]);
  return { tenantId, credentials, tokens: tokenStates };
}

/** Lets so many works run at once; the others wait, and begin in the order in which they came. */
function atMost(parallel: number): <T>(work: () => Promise<T>) => Promise<T> {
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
