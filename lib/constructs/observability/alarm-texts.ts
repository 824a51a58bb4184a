import { type DeploymentAlarm, type TenantAlarm } from '../../../core/alarms/alarms';
import { MIN_GUARANTEED_LIFETIME_SEC } from '../../../core/tokens/lifetimes';
import { placeFlags } from '../../../core/commands/place-flags';
import { type DeploymentKey, type TenantKey } from '../../../core/tokens/token-key';
import { type AlarmThresholds } from '../../../core/alarms/alarm-thresholds';
import { SWEEP_PERIOD } from './token-alarm-conditions';

/** What happened, what it means for callers, and what to do: one sentence each, without the full stop. */
type AlarmText = readonly [happened: string, means: string, advice: string];

/**
 * The description of a deployment's alarm: three sentences. The last names a command in back-quotes or a section of the runbook.
 * @param maxAgeDays age at which a credential must be replaced
 */
export function deploymentAlarmText(
  alarm: DeploymentAlarm,
  deploymentKey: DeploymentKey,
  { maxAgeDays, ...thresholds }: AlarmThresholds & { maxAgeDays: number },
): string {
  const place = `${deploymentKey.environment} ${deploymentKey.platformRegion}`;
  const flags = placeFlags(deploymentKey);
  const status = `\`latchkey status ${flags}\``;
  const doctor = `\`latchkey doctor ${flags}\``;
  const fix = `\`latchkey doctor --fix ${flags}\``;
  const texts: Record<DeploymentAlarm, AlarmText> = {
    'token-life': [
      `A token in ${place} expires in less than ${thresholds.tokenLifeMinutes} minutes and could not be renewed`,
      'Callers that read it will soon hold an expired token, and the platform will reject their requests',
      `Run ${fix}, which requests the tokens again or says why that fails`,
    ],
    'credential-refused': [
      `The platform rejects a tenant’s client credentials or a scope in ${place}, or the secret holds no credentials`,
      'Its former credentials get it new tokens if they still work; otherwise its callers fail within the hour',
      `Run ${doctor}, which names the tenant and the command that fixes it`,
    ],
    'tokens-blocked': [
      `Token renewals in ${place} need a person: a TLS error, a redirect, a missing permission, a secret scheduled for deletion, or tokens issued for less than ${MIN_GUARANTEED_LIFETIME_SEC / 60} minutes`,
      'Stored tokens work until they expire, within the hour; after that callers have none',
      `Run ${doctor} to see the cause, then follow docs/runbook/alarms.md#tokens-cannot-be-renewed`,
    ],
    'token-requests': [
      `Within an hour, Latchkey sent more token requests for ${place} than its renewals account for`,
      'Callers notice nothing yet, but the platform may start to throttle requests',
      'Find what sends them with docs/runbook/alarms.md#too-many-token-requests',
    ],
    'sweep-silent': [
      `No sweep of ${place} finished in ${thresholds.missedSweeps * SWEEP_PERIOD.toMinutes()} minutes, so nothing renews its tokens`,
      'Stored tokens start to expire 20 minutes after the last sweep; after that callers have none',
      `Run ${fix}, which enables a disabled schedule; if that does not help, follow docs/runbook/alarms.md#a-function-does-not-run`,
    ],
    'dead-letters': [
      `At least ${thresholds.deadLetters} function runs in ${place} crashed, timed out or could not start`,
      'Callers notice nothing as long as the next runs succeed',
      'Read the messages with docs/runbook/alarms.md#dead-letters',
    ],
    'rotation-due': [
      `A credential in ${place} reaches its maximum age of ${maxAgeDays} days within ${thresholds.rotationNoticeDays} days`,
      'Callers notice nothing',
      `Run ${status} to see which one, and rotate it with docs/runbook/credentials.md#scheduled-rotation`,
    ],
    'rotation-overdue': [
      `A credential in ${place} has been in use for ${maxAgeDays} days or longer`,
      'Callers notice nothing, but if the credential leaked, it still works',
      `Run ${status} to see which one, and rotate it with docs/runbook/credentials.md#scheduled-rotation`,
    ],
    'rotation-refused': [
      `The platform rejects a credential staged for rotation in ${place}`,
      'Callers notice nothing, because the current credential stays in use',
      `Run ${doctor} to see which one, and follow docs/runbook/credentials.md#platform-down-during-a-rotation`,
    ],
    'rotation-untested': [
      `A credential staged for rotation in ${place} could not be tested, because the platform gave no usable answer`,
      'Callers notice nothing, because the current credential stays in use',
      `Run ${doctor} to see which one, and follow docs/runbook/credentials.md#platform-down-during-a-rotation`,
    ],
    'rotation-stuck': [
      `A rotation in ${place} started and did not finish`,
      'Callers notice nothing, because the current credential stays in use',
      `Run ${fix}, which cleans up after the rotation or names the command that finishes it`,
    ],
    'api-key-expiring': [
      `An API key in ${place} expires within ${thresholds.apiKeyNoticeDays} days`,
      'After that, callers that use it for HTTP Basic are rejected',
      `Run ${status} to see which tenant, and replace the key with docs/runbook/credentials.md#api-key-about-to-expire`,
    ],
    'api-key-expiring-soon': [
      `An API key in ${place} expires within ${thresholds.apiKeyUrgentDays} days or has expired`,
      'After that, callers that use it for HTTP Basic are rejected',
      `Run ${status} to see which tenant, and replace the key with docs/runbook/credentials.md#api-key-about-to-expire`,
    ],
    'watch-silent': [
      `credential-watch has not checked the credentials of ${place} for 12 hours`,
      'Callers notice nothing, but no alarm warns of an expiring or overdue credential',
      `Run ${fix}, which enables a disabled schedule; if that does not help, follow docs/runbook/alarms.md#a-function-does-not-run`,
    ],
    'restore-errors': [
      `At least ${thresholds.restoreErrorPercent} % of the restores in ${place} failed with 5xx within 15 minutes`,
      'Content is not restored, or the outcome is unknown',
      'Find the cause with docs/runbook/alarms.md#the-restore-api',
    ],
    'restore-outcome-unknown': [
      `At least ${thresholds.restoreOutcomesUnknown} restores in ${place} ended with an unknown outcome within an hour`,
      'Callers must check whether the content is published before they retry',
      'Find the cause with docs/runbook/alarms.md#the-restore-api',
    ],
    'restore-latency': [
      `One in ten restores in ${place} has taken longer than ${thresholds.restoreLatencySec} seconds for 15 minutes`,
      'Callers wait, and some of them time out',
      'Find the cause with docs/runbook/alarms.md#the-restore-api',
    ],
    'restore-availability': [
      `What the platform says of its restore operation in ${place} contradicts restore.available in the configuration`,
      'Either restores fail although they are configured, or the platform offers them and the restore API still refuses them',
      `Run ${doctor}, which says which, and what to change`,
    ],
    throttles: [
      `Functions in ${place} have been throttled for 15 minutes, because no concurrency was available`,
      'Restores fail, and rotations and credential checks are late',
      'Find what uses the concurrency with docs/runbook/alarms.md#no-concurrency',
    ],
    tokens: [
      `Token renewal in ${place} does not work properly`,
      'Callers may soon be without a valid token',
      `Run ${status} to see which alarms caused this and what to do`,
    ],
    restore: [
      `The restore API of ${place} does not work properly`,
      'Restores may fail',
      `Run ${status} to see which alarms caused this and what to do`,
    ],
  };
  return inSentences(texts[alarm]);
}

/** The description of a tenant's alarm, in the same form. */
export function tenantAlarmText(alarm: TenantAlarm, tenant: TenantKey): string {
  const { environment, platformRegion, tenantId } = tenant;
  const place = `${tenantId} in ${environment} ${platformRegion}`;
  const flags = placeFlags(tenant);
  const texts: Record<TenantAlarm, AlarmText> = {
    'credential-refused': [
      `The platform rejects the client credentials of ${place}, a scope or the API key, or a secret holds no credentials`,
      'Former client credentials get it new tokens if they still work, otherwise its callers fail within the hour; a rejected API key opens no restore API',
      `Run \`latchkey doctor ${flags}\`, which names the credential and the command that loads another one`,
    ],
    'credential-attention': [
      `A credential of ${place} is about to expire, is due for rotation, cannot be read, or its staged replacement was not accepted`,
      'Callers notice nothing as long as the current credential is valid',
      `Run \`latchkey doctor ${flags}\`, which names the credential and the command that fixes it`,
    ],
  };
  return inSentences(texts[alarm]);
}

function inSentences(text: AlarmText): string {
  return text.map((sentence) => `${sentence}.`).join(' ');
}
