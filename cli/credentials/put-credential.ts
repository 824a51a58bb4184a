import { CANDIDATE_LABEL } from '../../core/secrets/credential-labels';
import { type CredentialKind } from '../../core/secrets/secret-names';
import { type CredentialValue } from '../../core/secrets/credential-values';
import { deploymentText } from '../../core/tokens/token-key';
import { pickTenant } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { CommandError } from '../command-error';
import { tenantCommand } from '../command-text';
import { type ExitCode } from '../exit-codes';
import { type FlagsOf } from '../options';
import { type Terminal } from '../terminal';
import { API_KEY_FIELDS, CLIENT_CREDENTIALS_FIELDS, readFields, utcTime } from './credential-input';
import { LabeledSecret } from './labeled-secret';
import { loadFirst } from './first-load';
import { promoteAndReport, type PromoteFlags } from './promote-and-report';
import { notProven, proveCredential } from './prove-credential';
import { requireNoneUnderWay, stagedMeanwhile, type StageFlags } from './concurrent-load';
import { writeVersion } from './write-version';

export type LoadFlags = TenantFlags & StageFlags & PromoteFlags;

export type PutFlags = LoadFlags & FlagsOf<'proveBy'>;

/** `latchkey credentials put`: loads a client id and secret. @throws {CommandError} */
export function putCredentials(context: CommandContext, flags: PutFlags): Promise<ExitCode> {
  return loadCredential(context, flags, 'client-credentials', async (terminal) => ({
    kind: 'client-credentials',
    value: await readFields(terminal, CLIENT_CREDENTIALS_FIELDS),
  }));
}

/** `latchkey api-key put`: loads an API key that was generated elsewhere. @throws {CommandError} */
export function putApiKey(context: CommandContext, flags: PutFlags): Promise<ExitCode> {
  return loadCredential(context, flags, 'api-key', async (terminal) => {
    const { apiKey, validUntil } = await readFields(terminal, API_KEY_FIELDS);
    return { kind: 'api-key', value: { apiKey, validUntil: utcTime(validUntil)! } };
  });
}

/**
 * Tests a credential and then writes it: directly if it is the first, otherwise by a rotation, which tests it again. Checks
 * everything else before asking for the credential. If a function is to prove it, nothing is sent to the issuer from here.
 * @throws {CommandError}
 */
async function loadCredential(
  context: CommandContext,
  flags: PutFlags,
  kind: CredentialKind,
  read: (terminal: Terminal) => Promise<CredentialValue>,
): Promise<ExitCode> {
  const { terminal } = context;
  const chosen = await pickTenant(context, flags);
  const secret = new LabeledSecret(chosen, kind, terminal.interrupted);
  const stateBefore = await secret.describe();
  await requireNoneUnderWay(context, secret, stateBefore, flags);
  if (terminal.isInteractive)
    terminal.say(`For ${chosen.tenant.tenantId} on ${deploymentText(chosen.deployment)}:`);
  const credential = await read(terminal).catch(rethrowNothingStored);
  const isProvenHere = flags.proveBy !== 'function';
  if (isProvenHere) {
    const outcome = await proveCredential(context, chosen, credential).catch(rethrowNothingStored);
    if (outcome.kind !== 'proven') {
      const advice = outcome.kind === 'could_not_test' ? byFunctionAdvice(secret, flags) : '';
      throw notProven(secret, outcome, `Nothing was stored${advice}`);
    }
  }

  // Typing and testing may have taken a while.
  const state = await secret.describe();
  if (state.versionWith.AWSCURRENT === undefined) {
    return loadFirst(context, secret, state, credential.value, isProvenHere);
  }
  await requireNoneUnderWay(context, secret, state, flags);
  const staged = await writeVersion(context, secret, state, credential.value, CANDIDATE_LABEL);
  if (staged.kind === 'conflict') throw stagedMeanwhile(secret);
  return promoteAndReport(context, secret, flags);
}

/** Adds to an interruption that nothing was stored. */
function rethrowNothingStored(error: unknown): never {
  if (!(error instanceof CommandError) || error.code !== 'interrupted') throw error;
  throw new CommandError(error.exitCode, error.code, error.message, { advice: 'Nothing was stored.' });
}

/** A line with the same command for a machine that cannot reach the issuer. */
function byFunctionAdvice(secret: LabeledSecret, flags: PutFlags): string {
  const words = [
    secret.kind === 'api-key' ? 'api-key put' : 'credentials put',
    '--prove-by function',
    ...(flags.revokePrevious === true ? ['--revoke-previous'] : []),
    ...(flags.replace === true ? ['--replace'] : []),
  ];
  return `\nIf only this machine cannot reach ${secret.issuer}: ${tenantCommand(secret.chosen, words.join(' '))}`;
}
