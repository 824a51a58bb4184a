import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { pickTenant } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { CommandError } from '../command-error';
import { tenantCommand, tenantLoadCommand } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { requireConsent } from '../terminal';
import { choosePrevious } from './previous-version';
import { promoteAndReport } from './promote-and-report';
import { requireNoneUnderWay, stagedMeanwhile, type StageFlags } from './concurrent-load';
import { type FlagsOf } from '../options';

type RollbackFlags = TenantFlags & StageFlags & FlagsOf<'kind' | 'yes'>;

/** `latchkey rollback`: rotates to the previous version, which is tested like any candidate. @throws {CommandError} */
export async function rollback(context: CommandContext, flags: RollbackFlags): Promise<ExitCode> {
  const chosen = await pickTenant(context, flags);
  const advice = `To load another one: ${tenantLoadCommand(chosen, flags.kind ?? 'client-credentials')}`;
  const { secret, state, previous } = await choosePrevious(context, chosen, flags.kind, 'restore', advice);
  await requireNoneUnderWay(context, secret, state, flags);
  const staged = state.versionWith[CANDIDATE_LABEL];
  if (staged !== undefined && staged !== previous && staged !== state.versionWith.AWSCURRENT) {
    context.terminal.say(`This discards the staged version ${staged}`);
  }
  await requireConsent(
    context.terminal,
    flags,
    `Restore the previous ${secret.kind} of ${chosen.tenant.tenantId} (version ${previous})?`,
  );
  if (staged !== previous) {
    const outcome = await secret.moveLabel(CANDIDATE_LABEL, {
      ...(staged !== undefined && { from: staged }),
      to: previous,
    });
    if (outcome === 'conflict') throw stagedMeanwhile(secret);
  }
  try {
    return await promoteAndReport(context, secret, {});
  } catch (error) {
    // As a candidate, the refused version would block the next one.
    if (error instanceof CommandError && error.code === 'candidate_refused') {
      await secret.moveLabel(CANDIDATE_LABEL, { from: previous });
      throw new CommandError(
        EXIT.refused,
        'previous_refused',
        `${secret.issuer} refuses the previous ${secret.kind}`,
        {
          cause: error,
          advice: `The current one is unchanged. To load another one: ${tenantLoadCommand(chosen, secret.kind)}\nSee what is loaded: ${tenantCommand(chosen, 'status')}`,
        },
      );
    }
    throw error;
  }
}
