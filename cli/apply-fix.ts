import { RestoreSecretCommand, RotateSecretCommand } from '@aws-sdk/client-secrets-manager';

import { DUE_BELOW_SEC } from '../core/tokens/lifetimes';
import { MAX_ROTATION_INTERVAL_DAYS } from '../core/rotation/rotation';
import { type SweepAnswer } from '../core/tokens/token-refresh';
import { CREDENTIAL_NAMES } from '../core/findings/describe';
import { type Finding, type Fix } from '../core/findings/finding';
import { deploymentText, tokenName } from '../core/tokens/token-key';
import { callAws } from './call-aws';
import { chooseTenant } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError } from './command-error';
import { LabeledSecret } from './credentials/labeled-secret';
import { proveKey } from './credentials/prove-key';
import { promoteCandidate, type Promotion } from './credentials/promote-candidate';
import { enableSchedule } from './deployment-schedules';
import { ensureToken } from './ensure-token';
import { EXIT } from './exit-codes';
import { whereText } from './findings-view';
import { invokeFunction } from './invoke-function';
import { type ChosenTenant, type Deployment, type System } from './system';
import { type Progress } from './terminal';

/** A finding with a fix that a program can apply. */
export interface FixableFinding {
  readonly deployment: Deployment;
  readonly finding: Finding;
  readonly fix: Fix;
}

/** The outcome of a fix. */
export interface FixOutcome {
  readonly isDone: boolean;
  /** What it started is still running. */
  readonly isUnfinished?: boolean;
  /** A sentence without a full stop. */
  readonly outcome: string;
  /** The code of the error that it failed with, if any. */
  readonly code?: string;
}

/** Longer than a sweep takes. */
const SWEEP_TIMEOUT_MS = 250_000;

/** What a fix will do, for the confirmation. */
export function describeFix({ finding, fix }: FixableFinding): string {
  const where = whereText(finding.place);
  switch (fix.action) {
    case 'remove_labels': {
      const versions = fix.versions.map(
        ({ versionId, labels }) => `${labels.join(', ')} from version ${versionId}`,
      );
      return `${where}: remove ${versions.join(' and ')} of ${fix.secretId}`;
    }
    case 'rotate':
      return `${where}: test the staged ${CREDENTIAL_NAMES[fix.credential]}, and promote it if its issuer accepts it`;
    case 'prove_key':
      return `${where}: ask the platform whether it accepts the current API key`;
    case 'refresh_token':
      return `${where}: renew the token ${tokenName(fix.token)}`;
    case 'sweep':
      return `${deploymentText(finding.place)}: run a sweep, which replaces tokens that are due or of a retired credential`;
    case 'enable_schedule':
      return `${deploymentText(finding.place)}: enable the schedule ${fix.scheduleName}${fix.functionName === 'token-sweep' ? ', and run a sweep now' : ''}`;
    case 'set_rotation_schedule':
      return `${where}: rotate ${fix.secretId} on the schedule ${fix.schedule}, and not now`;
    case 'restore_secret':
      return `${where}: cancel the deletion of ${fix.secretId}`;
  }
}

/** Applies one fix; a failure is an outcome. Safe to repeat. */
export async function applyFix(
  context: CommandContext,
  system: System,
  fixable: FixableFinding,
  progress = context.terminal.progress(PROGRESS[fixable.fix.action]),
): Promise<FixOutcome> {
  try {
    const outcome = await apply(context, system, fixable, progress);
    if (outcome.isDone) progress.done(outcome.outcome);
    else progress.failed(outcome.outcome);
    return outcome;
  } catch (error) {
    progress.failed('Not fixed');
    if (!(error instanceof CommandError) || context.terminal.interrupted.aborted) throw error;
    return { isDone: false, outcome: error.message, code: error.code };
  }
}

async function apply(
  context: CommandContext,
  system: System,
  { deployment, finding, fix }: FixableFinding,
  progress: Progress,
): Promise<FixOutcome> {
  const { interrupted } = context.terminal;
  const chosen = () => chooseTenant(system, { ...finding.place, tenant: finding.place.tenantId });
  switch (fix.action) {
    case 'remove_labels':
      return removeLabels(secretOf(chosen(), finding, fix.secretId, interrupted), fix);
    case 'rotate': {
      const secret = new LabeledSecret(chosen(), fix.credential, interrupted);
      const { kind } = await promoteCandidate(context, secret, progress);
      if (kind !== 'unfinished') {
        return { isDone: kind === 'promoted' || kind === 'unchanged', outcome: PROMOTIONS[kind] };
      }
      if (interrupted.aborted) throw interruptedRotation();
      return { isDone: false, isUnfinished: true, outcome: PROMOTIONS[kind] };
    }
    case 'prove_key': {
      const { isAccepted, outcome } = await proveKey(context, chosen());
      return { isDone: isAccepted, outcome };
    }
    case 'refresh_token': {
      const tenantId = chosen().tenant.tenantId;
      const answer = await ensureToken(context, deployment, tenantId, fix.token, DUE_BELOW_SEC);
      return answer.ok
        ? { isDone: true, outcome: `The token ${tokenName(fix.token)} is valid until ${answer.expiresAt}` }
        : { isDone: false, outcome: `${answer.error.code}: ${answer.error.message}` };
    }
    case 'sweep':
      return sweep(deployment, interrupted);
    case 'enable_schedule': {
      await enableSchedule(context, deployment, fix.scheduleName);
      const outcome = 'The schedule is enabled';
      if (fix.functionName !== 'token-sweep') return { isDone: true, outcome };
      return { isDone: true, outcome: `${outcome}; ${await sweepNow(deployment, interrupted)}` };
    }
    case 'set_rotation_schedule':
      return setRotationSchedule(deployment, fix, interrupted);
    case 'restore_secret':
      return restoreSecret(deployment, fix.secretId, interrupted);
  }
}

/**
 * Makes a secret that is scheduled for deletion readable again, with its value.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RestoreSecret.html
 */
async function restoreSecret(
  deployment: Deployment,
  secretId: string,
  interrupted: AbortSignal,
): Promise<FixOutcome> {
  const call = { action: 'secretsmanager:RestoreSecret', resource: secretId, deployment, interrupted };
  await callAws(call, (options) =>
    deployment.secretsManager.send(new RestoreSecretCommand({ SecretId: secretId }), options),
  );
  return { isDone: true, outcome: 'The secret can be read again' };
}

/**
 * Changes when Secrets Manager rotates a secret. It tests the configuration at once, and rotates nothing.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html (RotateImmediately)
 */
async function setRotationSchedule(
  deployment: Deployment,
  { secretId, schedule }: Extract<Fix, { action: 'set_rotation_schedule' }>,
  interrupted: AbortSignal,
): Promise<FixOutcome> {
  const call = { action: 'secretsmanager:RotateSecret', resource: secretId, deployment, interrupted };
  const RotationRules =
    schedule === 'none'
      ? { AutomaticallyAfterDays: MAX_ROTATION_INTERVAL_DAYS }
      : { ScheduleExpression: schedule };
  const command = new RotateSecretCommand({ SecretId: secretId, RotateImmediately: false, RotationRules });
  try {
    await callAws(call, (options) => deployment.secretsManager.send(command, options));
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'access_denied') throw error;
    return {
      isDone: false,
      outcome:
        'The operator policy does not allow changing a rotation schedule; an administrator of the account can run this command',
    };
  }
  return { isDone: true, outcome: `The rotation schedule is ${schedule}` };
}

/** Sweeps now: the schedule may next fire only in 5 minutes, and tokens may have expired. */
async function sweepNow(deployment: Deployment, interrupted: AbortSignal): Promise<string> {
  try {
    return (await sweep(deployment, interrupted)).outcome;
  } catch (error) {
    if (!(error instanceof CommandError) || interrupted.aborted) throw error;
    return `the next sweep, within 5 min, renews tokens: ${error.message}`;
  }
}

async function sweep(deployment: Deployment, interrupted: AbortSignal): Promise<FixOutcome> {
  const options = { interrupted, timeoutMs: SWEEP_TIMEOUT_MS };
  const event = { action: 'sweep' };
  const answer = await invokeFunction<SweepAnswer>(deployment, 'token-sweep-arn', event, options);
  const { ok, tokens, refreshed, failed } = answer;
  const outcome =
    ok && refreshed + failed === 0
      ? `a sweep ran: none of ${tokens} tokens was due`
      : `a sweep ran: ${refreshed} of ${tokens} tokens renewed, ${failed} failed`;
  return { isDone: ok, outcome };
}

function interruptedRotation(): CommandError {
  return new CommandError(EXIT.outcomeUnknown, 'rotation_unfinished', 'interrupted during a rotation', {
    advice:
      'It continues on its own, and promotes only a credential that its issuer accepts. To check: `latchkey status`',
  });
}

/** The deployed secret that the finding is about; the configuration may already name another. */
function secretOf(
  chosen: ChosenTenant,
  { credential = 'client-credentials' }: Finding,
  secretId: string,
  interrupted: AbortSignal,
): LabeledSecret {
  const secretIds = { ...chosen.tenant.secretIds, [credential]: secretId };
  return new LabeledSecret({ ...chosen, tenant: { ...chosen.tenant, secretIds } }, credential, interrupted);
}

async function removeLabels(
  secret: LabeledSecret,
  { versions }: Extract<Fix, { action: 'remove_labels' }>,
): Promise<FixOutcome> {
  let conflicts = 0;
  for (const { versionId, labels } of versions) {
    for (const label of labels) {
      if ((await secret.moveLabel(label, { from: versionId })) === 'conflict') conflicts += 1;
    }
  }
  return {
    isDone: true,
    outcome:
      conflicts === 0
        ? 'Labels removed'
        : `Labels removed; someone else had already moved ${conflicts} of them`,
  };
}

const PROGRESS: Record<Fix['action'], string> = {
  remove_labels: 'Removing labels',
  rotate: 'Starting the rotation',
  prove_key: 'Running rotate-credentials',
  refresh_token: 'Running token-refresh',
  sweep: 'Running token-sweep',
  enable_schedule: 'Enabling the schedule',
  set_rotation_schedule: 'Changing the rotation schedule',
  restore_secret: 'Restoring the secret',
};

const PROMOTIONS: Record<Promotion['kind'], string> = {
  promoted: 'The issuer accepted it, and it is now current',
  unchanged: 'It is already current',
  nothing_staged: 'Nothing is staged anymore',
  refused: 'The issuer refused it',
  untested: 'The issuer gave no usable answer',
  replaced: 'Someone else has staged another one',
  unfinished: 'The rotation is still running, and continues on its own',
};
