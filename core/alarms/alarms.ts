import { type DeploymentKey, deploymentName, type TenantKey } from '../tokens/token-key';

/**
 * The alarms of a deployment. {@link PAGING_ALARMS} notify the topic, and others feed a composite alarm. What remains shows on
 * the dashboard, the console and in `latchkey status` what can wait, and exists only with `fullMonitoring`.
 */
export const DEPLOYMENT_ALARMS = [
  /** A token expires sooner than its readers need. */
  'token-life',
  /** The platform refuses the credential of some tenant; the tenant's own alarm notifies. */
  'credential-refused',
  /** Tokens cannot be renewed until a person fixes something: TLS, a redirect, a permission, a secret. */
  'tokens-blocked',
  /** More token requests than the renewals account for. */
  'token-requests',
  /** No sweep has finished. */
  'sweep-silent',
  /** Failed runs left messages in the queue. Not in a composite: it stays in alarm until somebody empties the queue. */
  'dead-letters',
  'rotation-due',
  'rotation-overdue',
  'rotation-refused',
  'rotation-untested',
  'rotation-stuck',
  'api-key-expiring',
  'api-key-expiring-soon',
  /** credential-watch has not run. */
  'watch-silent',
  'restore-errors',
  'restore-outcome-unknown',
  'restore-latency',
  /** The platform offers restore, but the configuration says otherwise; or the reverse. */
  'restore-availability',
  'throttles',
  /** Any of the token alarms, so that one outage notifies once. */
  'tokens',
  /** Any of the restore API's alarms. */
  'restore',
] as const;
export type DeploymentAlarm = (typeof DEPLOYMENT_ALARMS)[number];

/** The alarms of a tenant. Both notify, and name the tenant. */
export const TENANT_ALARMS = [
  /** The platform refuses the tenant's credential or a scope, or its API key. */
  'credential-refused',
  /** A person must act: a rotation is due, refused or untested, or an API key is about to expire. */
  'credential-attention',
] as const;
export type TenantAlarm = (typeof TENANT_ALARMS)[number];

/** The member alarms of each composite alarm. */
export const COMPOSITE_ALARMS = {
  tokens: ['token-life', 'tokens-blocked', 'token-requests', 'sweep-silent'],
  restore: ['restore-errors', 'restore-outcome-unknown', 'restore-latency', 'throttles'],
} as const satisfies Partial<Record<DeploymentAlarm, readonly DeploymentAlarm[]>>;

/** The deployment's alarms that notify. */
export const PAGING_ALARMS = [
  'tokens',
  'restore',
  'restore-availability',
  'rotation-overdue',
  'api-key-expiring-soon',
  'watch-silent',
] as const satisfies readonly DeploymentAlarm[];

/** The deployment's alarms that exist without `fullMonitoring`: they notify, or a composite alarm does it for them. */
export function neededAlarms(hasRestoreApi: boolean): readonly DeploymentAlarm[] {
  const composites = hasRestoreApi ? Object.values(COMPOSITE_ALARMS) : [COMPOSITE_ALARMS.tokens];
  return [...PAGING_ALARMS, ...composites.flat()];
}

/** Prefix of the names of all alarms of a deployment and its tenants: `latchkey-staging-mea/`. */
export function alarmNamePrefix(prefix: string, deploymentKey: DeploymentKey): string {
  return `${prefix}-${deploymentName(deploymentKey)}/`;
}

/** `latchkey-staging-mea/token-life`. */
export function deploymentAlarmName(
  prefix: string,
  deploymentKey: DeploymentKey,
  alarm: DeploymentAlarm,
): string {
  return `${alarmNamePrefix(prefix, deploymentKey)}${alarm}`;
}

/** `latchkey-staging-mea/TENANT/credential-refused`. Tenant ids contain no slash. */
export function tenantAlarmName(prefix: string, tenant: TenantKey, alarm: TenantAlarm): string {
  return `${alarmNamePrefix(prefix, tenant)}${tenant.tenantId}/${alarm}`;
}

/** Parses an alarm's name into its id, such as `token-life`, and the tenant if it is a tenant's alarm. */
export function alarmOfName(name: string): { tenantId: string | undefined; id: string } {
  const [, ...rest] = name.split('/');
  const id = rest.pop() ?? name;
  return { tenantId: rest[0], id };
}
