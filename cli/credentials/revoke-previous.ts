import { REVOKED_ENDS_WITHIN_SEC } from '../../contract/lifetimes';
import { type CredentialKind } from '../../contract/secret-names';
import { chooseTenant } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { CommandError } from '../command-error';
import { commandFor } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { requireConsent } from '../terminal';
import { chooseSecret } from './choose-secret';
import { atThePlatform, realPrevious, takeOffPrevious } from './previous-version';
import { credentialKeyOf } from './promote-and-report';

interface RevokePreviousFlags extends TenantFlags {
  kind?: CredentialKind;
  /** Asks no person. */
  yes?: boolean;
}

/**
 * `latchkey credentials revoke-previous`: takes AWSPREVIOUS off its version, so that the restore API accepts that API
 * key no longer, and nobody can roll back to it.
 * @throws {CommandError}
 */
export async function revokePrevious(context: CommandContext, flags: RevokePreviousFlags): Promise<ExitCode> {
  const chosen = chooseTenant(await context.system(), flags);
  const { secret, state } = await chooseSecret(
    context,
    chosen,
    flags.kind,
    realPrevious,
    (kinds) =>
      new CommandError(EXIT.failed, 'no_previous', `there is no previous ${kinds} to revoke`, {
        advice: `What there is: ${commandFor(chosen, 'status')}`,
      }),
  );
  const versionId = realPrevious(state)!;
  await requireConsent(
    context.terminal,
    flags,
    `End the previous ${secret.kind} of ${chosen.tenant.tenantId} (version ${versionId})? There is no way back to it then.`,
  );
  if ((await takeOffPrevious(secret, versionId)) === 'conflict') {
    throw new CommandError(
      EXIT.failed,
      'changed_meanwhile',
      `somebody has rotated or revoked the ${secret.kind} at the same time; nothing was revoked`,
      { advice: `What there is now: ${commandFor(chosen, 'status')}` },
    );
  }
  context.terminal.result({ outcome: 'revoked', ...credentialKeyOf(secret), versionId }, (style) =>
    [
      `${style.good('Revoked')}: the previous ${secret.kind} of ${chosen.tenant.tenantId}, version ${versionId}.`,
      secret.kind === 'api-key'
        ? `Within ${REVOKED_ENDS_WITHIN_SEC} s the restore API accepts it no longer, and a rollback to it is impossible.`
        : 'A rollback to it is impossible.',
      atThePlatform(secret.kind),
    ].join('\n'),
  );
  return EXIT.done;
}
