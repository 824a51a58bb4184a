import { chosenTenantKey } from '../choose-tenant';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { tenantCommand, tenantLoadCommand } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { startFunction } from '../invoke-function';
import { startCredentialWatch } from '../start-credential-watch';
import { followUp, type Style } from '../terminal';
import { announceChange } from './announce-change';
import { type LabeledSecret } from './labeled-secret';
import { type PreviousFate, previousLine, removePreviousLabel } from './previous-version';
import { promoteCandidate, type Promotion } from './promote-candidate';
import { startProof } from './prove-key';
import { type FlagsOf } from '../options';
import { tokenNames } from '../../core/tokens/token-key';

export type PromoteFlags = FlagsOf<'revokePrevious'>;

/**
 * Promotes the candidate, has its tokens replaced, and reports both.
 * @throws {CommandError} if it was not promoted, saying what to do
 */
export async function promoteAndReport(
  context: CommandContext,
  secret: LabeledSecret,
  { revokePrevious = false }: PromoteFlags,
): Promise<ExitCode> {
  const { chosen, kind } = secret;
  const { terminal } = context;
  const promotion = await promoteWithProgress(context, secret);
  if (promotion.kind === 'unchanged') {
    terminal.result({ outcome: 'unchanged', ...credentialKeyOf(secret) }, (style) =>
      [
        `Nothing changed: the staged ${kind} is already current`,
        ...(revokePrevious ? [notRevoked(secret)] : []),
        `${style.bold('Next')}: ${tenantCommand(chosen, 'status')}`,
      ].join('\n'),
    );
    return EXIT.done;
  }
  if (promotion.kind !== 'promoted') throw notPromoted(secret, promotion, revokePrevious);
  if (kind === 'client-credentials') {
    await followUp(terminal, 'The next sweep, within 5 min, replaces the tokens', () =>
      startFunction(chosen.deployment, 'token-sweep-arn', { action: 'sweep' }, terminal.interrupted),
    );
  }
  const { versionId, previousVersionId } = promotion;
  const previous = await keepOrRevokePrevious(context, secret, previousVersionId, revokePrevious);
  await startCredentialWatch(context, chosen.deployment);
  terminal.result({ outcome: 'promoted', ...credentialKeyOf(secret), versionId, previous }, (style) =>
    [
      `${style.good('Current')}: ${kind} of ${chosen.tenant.tenantId}, version ${versionId}`,
      previousLine(secret, previous),
      ...nextLines(secret, previous, style),
    ].join('\n'),
  );
  return EXIT.done;
}

/** The fields that identify a credential in a result. */
export function credentialKeyOf({ chosen, kind }: LabeledSecret): object {
  return { ...chosenTenantKey(chosen), credential: kind };
}

async function promoteWithProgress(context: CommandContext, secret: LabeledSecret): Promise<Promotion> {
  const progress = context.terminal.progress('Starting the rotation');
  try {
    const promotion = await promoteCandidate(context, secret, progress);
    if (promotion.kind === 'promoted' || promotion.kind === 'unchanged') progress.done('Rotation complete');
    else progress.failed('Not promoted');
    return promotion;
  } catch (error) {
    progress.failed('Could not start or follow the rotation');
    context.terminal.say(`The new credential is still staged. To retry: ${retryCommand(secret)}`);
    throw error;
  }
}

/** Revokes the previous version if wanted, and says what became of it. */
async function keepOrRevokePrevious(
  context: CommandContext,
  secret: LabeledSecret,
  versionId: string | undefined,
  isRevocationWanted: boolean,
): Promise<PreviousFate | undefined> {
  if (versionId === undefined) return undefined;
  if (isRevocationWanted) {
    const outcome = await removePreviousLabel(secret.uninterrupted(), versionId);
    if (outcome === 'moved') {
      if (secret.kind === 'api-key') await startProof(context, secret.chosen);
      await announceChange(context, secret, 'revoked', versionId);
      return { versionId, fate: 'revoked' };
    }
    context.terminal.say(
      'The previous version was not revoked: someone else has moved the label AWSPREVIOUS',
    );
  }
  const graceSec = secret.chosen.deployment.configured?.restoreApi.apiKeyGraceSec;
  if (secret.kind !== 'api-key' || graceSec === undefined) return { versionId, fate: 'kept' };
  const acceptedUntil = new Date(context.nowMs() + graceSec * 1000).toISOString();
  return { versionId, fate: 'kept', acceptedUntil };
}

function nextLines(
  { chosen, kind }: LabeledSecret,
  previous: PreviousFate | undefined,
  style: Style,
): string[] {
  return [
    `${style.bold('Next')}: ${tenantCommand(chosen, 'status')}`,
    ...(previous?.fate === 'kept'
      ? [
          `If the previous one leaked: ${tenantCommand(chosen, 'credentials revoke-previous', kind)}`,
          `To restore the previous one: ${tenantCommand(chosen, 'rollback', kind)}`,
        ]
      : []),
  ];
}

function notPromoted(
  secret: LabeledSecret,
  promotion: Exclude<Promotion, { kind: 'promoted' | 'unchanged' }>,
  isRevocationWanted: boolean,
): CommandError {
  const { chosen, kind, issuer } = secret;
  const failure = (exitCode: ExitCode, code: string, message: string, advice: string) =>
    new CommandError(exitCode, code, message, { advice });
  const unharmed = `The current ${kind} is unchanged.`;
  const replace = tenantLoadCommand(chosen, kind);
  const status = tenantCommand(chosen, 'status');
  const retry = `${retryCommand(secret)}\nSecrets Manager may also retry a few times on its own.`;
  switch (promotion.kind) {
    case 'refused':
      return failure(
        EXIT.refused,
        'candidate_refused',
        promotion.lacks.length === 0
          ? `${issuer} refused the staged ${kind}`
          : `the staged ${kind} lack ${tokenNames(promotion.lacks)}`,
        `${unharmed} Load another one: ${replace}\nOr retry, if ${issuer} needs more time: ${retry}`,
      );
    case 'untested':
      return failure(
        EXIT.unavailable,
        'could_not_test',
        `${issuer} gave no usable answer, so the staged ${kind} was not promoted`,
        `${unharmed} When ${issuer} works again, retry: ${retry}`,
      );
    case 'replaced':
      return failure(
        EXIT.failed,
        'candidate_replaced',
        `someone else staged another ${kind}, which replaced this one`,
        `See which one is current: ${status}`,
      );
    case 'nothing_staged':
      return failure(
        EXIT.failed,
        'nothing_staged',
        `no new ${kind} is staged, so there is nothing to promote`,
        `To load one: ${replace}`,
      );
    case 'unfinished':
      return failure(
        EXIT.outcomeUnknown,
        'rotation_unfinished',
        promotion.reason === 'time'
          ? `the rotation of the ${kind} did not finish in time`
          : `interrupted during the rotation of the ${kind}`,
        `The rotation continues on its own, and promotes only a credential that ${issuer} accepts. ` +
          `To check: ${status}\n` +
          `If it is still staged then: ${retryCommand(secret)}\n` +
          `If it hangs: ${tenantCommand(chosen, 'doctor')}` +
          (isRevocationWanted ? `\n${notRevoked(secret)}` : ''),
      );
  }
}

function notRevoked({ chosen, kind }: LabeledSecret): string {
  return `The previous one was not revoked. Once the new one is current: ${tenantCommand(chosen, 'credentials revoke-previous', kind)}`;
}

function retryCommand({ chosen, kind }: LabeledSecret): string {
  return tenantCommand(chosen, 'credentials rotate', kind);
}
