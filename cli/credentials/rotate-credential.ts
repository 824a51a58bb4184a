import { credentialKindsOf } from '../../core/deployment/deployment-file';
import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { pickTenant } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { CommandError } from '../command-error';
import { tenantLoadCommand } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { chooseSecret } from './choose-secret';
import { promoteAndReport, type PromoteFlags } from './promote-and-report';
import { type FlagsOf } from '../options';

type RotateFlags = TenantFlags & PromoteFlags & FlagsOf<'kind'>;

/** `latchkey credentials rotate`: retries the rotation to the candidate. @throws {CommandError} */
export async function rotateCredentials(context: CommandContext, flags: RotateFlags): Promise<ExitCode> {
  const chosen = await pickTenant(context, flags);
  const kindsOfTenant = flags.kind === undefined ? credentialKindsOf(chosen.tenant) : [flags.kind];
  const { secret } = await chooseSecret(
    context,
    chosen,
    flags.kind,
    ({ versionWith }) => versionWith[CANDIDATE_LABEL] !== undefined,
    (kinds) =>
      new CommandError(
        EXIT.failed,
        'nothing_staged',
        `no new ${kinds} is staged, so there is nothing to promote`,
        {
          advice:
            'Latchkey issues no credentials. ' +
            `To load one: ${kindsOfTenant.map((kind) => tenantLoadCommand(chosen, kind)).join('\nor ')}`,
        },
      ),
  );
  return promoteAndReport(context, secret, flags);
}
