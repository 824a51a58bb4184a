import { type DeploymentAlarm, type TenantAlarm } from '../../../contract/alarms';
import { placeFlags } from '../../../contract/place-flags';
import { type DeploymentKey, type TenantKey } from '../../../contract/token-key';
import { type AlarmThresholds } from '../../config/alarm-settings';
import { SWEEP_PERIOD } from './token-alarm-conditions';

/** What a text tells: what happened, what it means for callers, and what to do. Each a sentence. */
type AlarmText = readonly [happened: string, means: string, advice: string];

/**
 * What people read when an alarm of a deployment rings: three sentences, the last with a command in back-quotes or a
 * page of the runbook.
 * @param maxAgeDays age at which a credential is to be replaced
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
      `A token of ${place} has less than ${thresholds.tokenLifeMinutes} minutes left and could not be renewed`,
      'Callers who read it soon hold a token that has ended, and the platform refuses them',
      `Run ${fix}, which asks for the tokens again and says why it gets none`,
    ],
    'credential-refused': [
      `The platform refuses a tenant’s client credentials or a scope in ${place}, or the secret holds no credentials`,
      'That tenant gets no new tokens, so its callers are refused within the hour',
      `Run ${doctor}, which names the tenant and the command that mends it`,
    ],
    'tokens-blocked': [
      `Token renewals of ${place} fail for a reason that does not pass: TLS, a redirect, a missing right, or a secret that is about to be deleted`,
      'Stored tokens serve until they end, within the hour, and then callers have none',
      `Run ${doctor} for the cause, and see docs/runbook/tokens-blocked.md`,
    ],
    'token-requests': [
      `More tokens were requested in ${place} within an hour than renewals explain`,
      'Callers notice nothing yet, but the platform may start to refuse requests',
      'Find who asks for them with docs/runbook/token-requests.md',
    ],
    'sweep-silent': [
      `No sweep of ${place} ended in ${thresholds.missedSweeps * SWEEP_PERIOD.toMinutes()} minutes, so nothing renews its tokens`,
      'Stored tokens begin to end 20 minutes after the last sweep, and then callers have none',
      `Run ${fix}, which enables a schedule that was stopped, and else see docs/runbook/sweep-not-running.md`,
    ],
    'dead-letters': [
      `At least ${thresholds.deadLetters} runs of ${place} crashed, ran out of time or could not start`,
      'Callers notice nothing as long as the next runs succeed',
      'Read the messages with docs/runbook/dead-letters.md',
    ],
    'rotation-due': [
      `A credential of ${place} will have been in use for ${maxAgeDays} days within ${thresholds.rotationNoticeDays} days`,
      'Callers notice nothing, before and after',
      `Run ${status}, which names the credential, and rotate it as docs/runbook/scheduled-rotation.md says`,
    ],
    'rotation-overdue': [
      `A credential of ${place} has been in use for ${maxAgeDays} days or longer`,
      'Callers notice nothing, but a leaked credential would be of use for too long',
      `Run ${status}, which names the credential, and rotate it as docs/runbook/scheduled-rotation.md says`,
    ],
    'rotation-refused': [
      `The platform refuses a new credential that was staged in ${place}`,
      'Callers notice nothing, because the credential before stays in use',
      `Run ${doctor}, which names the credential, and see docs/runbook/platform-down-during-rotation.md`,
    ],
    'rotation-untested': [
      `The platform gave no usable answer about a new credential that was staged in ${place}`,
      'Callers notice nothing, because the credential before stays in use',
      `Run ${doctor}, which names the credential, and see docs/runbook/platform-down-during-rotation.md`,
    ],
    'rotation-stuck': [
      `A rotation in ${place} began and did not end`,
      'Callers notice nothing, because the credential before stays in use',
      `Run ${fix}, which takes away what is left behind or names the command that ends the rotation`,
    ],
    'api-key-expiring': [
      `An API key of ${place} ends within ${thresholds.apiKeyNoticeDays} days`,
      'From then on callers that use HTTP Basic are refused',
      `Run ${status}, which names the tenant, and replace the key as docs/runbook/api-key-about-to-expire.md says`,
    ],
    'api-key-expiring-soon': [
      `An API key of ${place} ends within ${thresholds.apiKeyUrgentDays} days or has ended`,
      'From then on callers that use HTTP Basic are refused',
      `Run ${status}, which names the tenant, and replace the key as docs/runbook/api-key-about-to-expire.md says`,
    ],
    'watch-silent': [
      `Nobody has looked at the credentials of ${place} for 12 hours`,
      'Callers notice nothing, but nobody is told of a credential that ends',
      `Run ${fix}, which enables a schedule that was stopped, and else see docs/runbook/sweep-not-running.md`,
    ],
    'restore-errors': [
      `At least ${thresholds.restoreErrorPercent} % of the restores of ${place} failed with 5xx within 15 minutes`,
      'Callers’ contents are not restored, or nobody knows whether they are',
      'Find the cause with docs/runbook/restore-api.md',
    ],
    'restore-outcome-unknown': [
      `At least ${thresholds.restoreOutcomesUnknown} restores of ${place} within an hour ended without anybody knowing whether the content was restored`,
      'Callers have to look before they ask again',
      'Find the cause with docs/runbook/restore-api.md',
    ],
    'restore-latency': [
      `One in ten restores of ${place} takes longer than ${thresholds.restoreLatencySec} seconds`,
      'Callers wait, and some of them run into their own time limits',
      'Find the cause with docs/runbook/restore-api.md',
    ],
    throttles: [
      `Functions of ${place} could not start for lack of concurrency, for 15 minutes`,
      'Restores are refused, and rotations and looks at credentials come late',
      'Find what takes the concurrency with docs/runbook/throttled.md',
    ],
    tokens: [
      `Tokens of ${place} are not renewed as they should be`,
      'Callers may be without a usable token soon',
      `Run ${status}, which says what rang and what to do`,
    ],
    restore: [
      `The restore API of ${place} does not work as it should`,
      'Callers’ contents may not be restored',
      `Run ${status}, which says what rang and what to do`,
    ],
  };
  return inSentences(texts[alarm]);
}

/** The same for an alarm of a tenant. */
export function tenantAlarmText(alarm: TenantAlarm, tenant: TenantKey): string {
  const { environment, platformRegion, tenantId } = tenant;
  const place = `${tenantId} in ${environment} ${platformRegion}`;
  const flags = placeFlags(tenant);
  const texts: Record<TenantAlarm, AlarmText> = {
    'credential-refused': [
      `The platform refuses the client credentials of ${place} or a scope, or the secret holds no credentials`,
      'No new tokens are issued, so the tenant’s callers are refused within the hour',
      `Get a new pair or the scope from the platform’s support, then run \`latchkey credentials put ${flags}\``,
    ],
    'credential-attention': [
      `A credential of ${place} ends, is too old, cannot be read, or its successor was not accepted`,
      'Callers notice nothing as long as the current one is valid',
      `Run \`latchkey doctor ${flags}\`, which names the credential and the command that mends it`,
    ],
  };
  return inSentences(texts[alarm]);
}

function inSentences(text: AlarmText): string {
  return text.map((sentence) => `${sentence}.`).join(' ');
}
