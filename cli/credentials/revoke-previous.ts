import { MAX_REVOKED_ACCEPTED_SEC } from '../../core/tokens/lifetimes';
import { pickTenant } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { CommandError } from '../command-error';
import { tenantCommand } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { requireConsent } from '../terminal';
import { announceChange } from './announce-change';
import { revokeAtIssuerAdvice, choosePrevious, removePreviousLabel } from './previous-version';
import { credentialKeyOf } from './promote-and-report';
import { startProof } from './prove-key';
import { type FlagsOf } from '../options';

type RevokePreviousFlags = TenantFlags & FlagsOf<'kind' | 'yes'>;

/**
 * `latchkey credentials revoke-previous`: removes AWSPREVIOUS, so that the restore API stops accepting that API key and
 * nobody can roll back to it.
 * @throws {CommandError}
 */
export async function revokePrevious(context: CommandContext, flags: RevokePreviousFlags): Promise<ExitCode> {
  const chosen = await pickTenant(context, flags);
  const advice = `See what is loaded: ${tenantCommand(chosen, 'status')}`;
  const { secret, previous } = await choosePrevious(context, chosen, flags.kind, 'revoke', advice);
  await requireConsent(
    context.terminal,
    flags,
    `Revoke the previous ${secret.kind} of ${chosen.tenant.tenantId} (version ${previous})? You cannot roll back to it afterwards.`,
  );
  if ((await removePreviousLabel(secret, previous)) === 'conflict') {
    throw new CommandError(
      EXIT.failed,
      'changed_meanwhile',
      `someone else rotated or revoked the ${secret.kind} at the same time; nothing was revoked`,
      { advice: `See what is loaded now: ${tenantCommand(chosen, 'status')}` },
    );
  }
  if (secret.kind === 'api-key') await startProof(context, chosen);
  await announceChange(context, secret, 'revoked', previous);
  context.terminal.result({ outcome: 'revoked', ...credentialKeyOf(secret), versionId: previous }, (style) =>
    [
      `${style.good('Revoked')}: the previous ${secret.kind} of ${chosen.tenant.tenantId}, version ${previous}`,
      secret.kind === 'api-key'
        ? `The restore API rejects it within ${MAX_REVOKED_ACCEPTED_SEC} s, and you can no longer roll back to it`
        : 'You can no longer roll back to it',
      revokeAtIssuerAdvice(secret),
    ].join('\n'),
  );
  return EXIT.done;
}
