import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { type CredentialKind } from '../../contract/secret-names';
import { chooseTarget } from '../choose-tenant';
import { type CommandContext, type TargetFlags } from '../command';
import { CommandError } from '../command-error';
import { EXIT, type ExitCode } from '../exit-codes';
import { chooseSecret } from './choose-secret';
import { commandToReplace } from './next-command';
import { promoteAndReport, type PromoteFlags } from './promote-and-report';

export interface RotateFlags extends TargetFlags, PromoteFlags {
  kind?: CredentialKind;
}

/**
 * `latchkey credentials rotate`: tries again to promote what is staged.
 * @throws {CommandError}
 */
export async function rotateCredentials(context: CommandContext, flags: RotateFlags): Promise<ExitCode> {
  const target = chooseTarget(await context.system(), flags);
  const { secret } = await chooseSecret(
    context,
    target,
    flags.kind,
    ({ versionWith }) => versionWith[CANDIDATE_LABEL],
    (kinds) =>
      new CommandError(
        EXIT.failed,
        'nothing_staged',
        `no new ${kinds} is staged, so there is none to promote`,
        {
          advice:
            'Only the platform makes credentials. ' +
            (flags.kind === undefined
              ? `To load one: ${commandToReplace(target, 'client-credentials')}\nor ${commandToReplace(target, 'api-key')}`
              : `To load one: ${commandToReplace(target, flags.kind)}`),
        },
      ),
  );
  return promoteAndReport(context, secret, flags);
}
