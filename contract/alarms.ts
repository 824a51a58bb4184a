import { type DeploymentKey, deploymentName, type TenantKey } from './token-key';

/**
 * The alarms of a deployment. Those of {@link PAGING_ALARMS} notify the topic; the others are what those are made of,
 * or tell on dashboard, console and `latchkey status` what nobody has to be woken for.
 */
export const DEPLOYMENT_ALARMS = [
  /** A token has less life left than its readers need. */
  'token-life',
  /** The platform refuses the credential of some tenant; the tenant's own alarm notifies. */
  'credential-refused',
  /** Tokens cannot be renewed until a person mends something: TLS, a redirect, a right, a secret. */
  'tokens-blocked',
  /** More token requests than renewals explain. */
  'token-requests',
  /** No sweep ended. */
  'sweep-silent',
  /** Runs that failed left their messages, which stay until somebody takes them: so it is no part of a composite. */
  'dead-letters',
  'rotation-due',
  'rotation-overdue',
  'rotation-refused',
  'rotation-untested',
  'rotation-stuck',
  'api-key-expiring',
  'api-key-expiring-soon',
  /** Nobody looked at the credentials. */
  'watch-silent',
  'restore-errors',
  'restore-outcome-unknown',
  'restore-latency',
  'throttles',
  /** Any of the token alarms, so that one outage notifies once. */
  'tokens',
  /** Any of the restore API's alarms. */
  'restore',
] as const;
export type DeploymentAlarm = (typeof DEPLOYMENT_ALARMS)[number];

/** The alarms of a tenant; both notify, by the tenant's name. */
export const TENANT_ALARMS = [
  /** The platform refuses its credential, or a scope. */
  'credential-refused',
  /** A credential wants a person: a rotation that is due, refused or untested, or an API key that ends. */
  'credential-attention',
] as const;
export type TenantAlarm = (typeof TENANT_ALARMS)[number];

/** What each composite alarm is made of. */
export const COMPOSITE_ALARMS = {
  tokens: ['token-life', 'tokens-blocked', 'token-requests', 'sweep-silent'],
  restore: ['restore-errors', 'restore-outcome-unknown', 'restore-latency', 'throttles'],
} as const satisfies Partial<Record<DeploymentAlarm, readonly DeploymentAlarm[]>>;

/** The deployment's alarms that notify. */
export const PAGING_ALARMS = [
  'tokens',
  'restore',
  'rotation-overdue',
  'api-key-expiring-soon',
  'watch-silent',
] as const satisfies readonly DeploymentAlarm[];

/** Alarms that exist only where the deployment has a restore API. */
export const RESTORE_ALARMS = [
  'restore-errors',
  'restore-outcome-unknown',
  'restore-latency',
  'restore',
] as const satisfies readonly DeploymentAlarm[];

/** What the names of all alarms of a deployment and its tenants start with: `latchkey-staging-mea/`. */
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

/** `latchkey-staging-mea/TENANT/credential-refused`; no tenant id holds a slash. */
export function tenantAlarmName(prefix: string, tenant: TenantKey, alarm: TenantAlarm): string {
  return `${alarmNamePrefix(prefix, tenant)}${tenant.tenantId}/${alarm}`;
}

/** What an alarm's name says of it: the tenant, where it is about one, and its id, such as `token-life`. */
export function alarmOfName(name: string): { tenantId: string | undefined; id: string } {
  const [, ...rest] = name.split('/');
  const id = rest.pop() ?? name;
  return { tenantId: rest[0], id };
}
