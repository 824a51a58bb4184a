import { type DeploymentAlarm, type TenantAlarm } from './alarm-rows';
import { type DeploymentKey, deploymentName, type TenantKey } from '../tokens/token-key';

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
