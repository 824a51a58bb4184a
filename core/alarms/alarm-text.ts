import { type Place, placeFlags } from '../commands/place-flags';
import { withPageLinks } from '../commands/page-links';
import { type DeploymentKey, deploymentText, type TenantKey } from '../tokens/token-key';
import {
  type AlarmRow,
  type AlarmThresholds,
  DEPLOYMENT_ALARM_ROWS,
  type DeploymentAlarm,
  TENANT_ALARM_ROWS,
  type TenantAlarm,
} from './alarm-rows';

/**
 * The description of a deployment's alarm: three sentences.
 * @param maxAgeDays age at which a credential must be replaced
 */
export function deploymentAlarmText(
  alarm: DeploymentAlarm,
  deploymentKey: DeploymentKey,
  limits: AlarmThresholds & { maxAgeDays: number },
): string {
  return textOf(DEPLOYMENT_ALARM_ROWS[alarm], deploymentKey, limits);
}

/** The description of a tenant's alarm, in the same form. */
export function tenantAlarmText(alarm: TenantAlarm, tenant: TenantKey): string {
  return textOf(TENANT_ALARM_ROWS[alarm], tenant, {});
}

function textOf({ text }: AlarmRow, key: Place, limits: object): string {
  const { tenantId } = key;
  const command = (words: string) => `\`latchkey ${words} ${placeFlags(key)}\``;
  const sentences = text({
    place: `${tenantId === undefined ? '' : `${tenantId} in `}${deploymentText(key)}`,
    status: command('status'),
    doctor: command('doctor'),
    fix: command('doctor --fix'),
    hasApiKeys: key.issuer === undefined,
    ...limits,
  });
  return withPageLinks(sentences.map((sentence) => `${sentence}.`).join(' '));
}
