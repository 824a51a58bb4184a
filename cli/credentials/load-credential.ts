import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { type CredentialKind } from '../../contract/secret-names';
import { type ProofOutcome } from '../../lambdas/shared/adapters/platform-proof';
import { type CredentialValue } from '../../lambdas/shared/domain/credential-values';
import { chooseTenant } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { CommandError } from '../command-error';
import { EXIT, type ExitCode } from '../exit-codes';
import { type Terminal } from '../terminal';
import { CredentialSecret } from './credential-secret';
import { loadFirst } from './first-load';
import { promoteAndReport, type PromoteFlags } from './promote-and-report';
import { proveCredential } from './prove-credential';
import { requireNoneUnderWay, type StageFlags, stagedMeanwhile } from './stage-candidate';
import { writeVersion } from './write-version';

export interface LoadFlags extends TenantFlags, StageFlags, PromoteFlags {}

/**
 * Loads a credential that somebody has: proves it, and only then writes it. Where there is one already, by a rotation.
 * What can fail without the credential fails before anyone is asked for it.
 * @throws {CommandError}
 */
export async function loadCredential(
  context: CommandContext,
  flags: LoadFlags,
  kind: CredentialKind,
  read: (terminal: Terminal) => Promise<CredentialValue>,
): Promise<ExitCode> {
  const { terminal } = context;
  const chosen = chooseTenant(await context.system(), flags);
  const secret = new CredentialSecret(chosen, kind, terminal.interrupted);
  await requireNoneUnderWay(context, secret, await secret.describe(), flags);
  const credential = await read(terminal);
  const outcome = await proveCredential(context, chosen, credential);
  if (outcome.kind !== 'proven') throw notProven(kind, outcome, 'Nothing was written.');

  // A person may have taken long to type.
  const state = await secret.describe();
  if (state.versionWith.AWSCURRENT === undefined) {
    return loadFirst(context, secret, state, credential.value);
  }
  await requireNoneUnderWay(context, secret, state, flags);
  const staged = await writeVersion(context, secret, state, credential.value, CANDIDATE_LABEL);
  if (staged.kind === 'conflict') throw stagedMeanwhile(secret);
  return promoteAndReport(context, secret, flags);
}

/** Why a credential is not used. */
export function notProven(
  kind: CredentialKind,
  outcome: Exclude<ProofOutcome, { kind: 'proven' }>,
  advice: string,
): CommandError {
  return outcome.kind === 'refused'
    ? new CommandError(
        EXIT.refused,
        'credential_refused',
        `the platform refuses the ${kind}: ${outcome.reason}`,
        {
          advice,
        },
      )
    : new CommandError(
        EXIT.unavailable,
        'could_not_test',
        `the platform could not be asked about the ${kind}: ${outcome.reason}`,
        { advice },
      );
}
