import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { type CredentialKind } from '../../contract/secret-names';
import { type CredentialValue } from '../../lambdas/shared/domain/credential-values';
import { pickTenant } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { type ExitCode } from '../exit-codes';
import { type Terminal } from '../terminal';
import { API_KEY_FIELDS, CLIENT_CREDENTIALS_FIELDS, readFields, utcTime } from './credential-input';
import { LabeledSecret } from './labeled-secret';
import { loadFirst } from './first-load';
import { promoteAndReport, type PromoteFlags } from './promote-and-report';
import { notProven, proveCredential } from './prove-credential';
import { requireNoneUnderWay, stagedMeanwhile, type StageFlags } from './stage-candidate';
import { writeVersion } from './write-version';

export interface LoadFlags extends TenantFlags, StageFlags, PromoteFlags {}

/**
 * `latchkey credentials put`: loads a client id and secret.
 * @throws {CommandError}
 */
export function putCredentials(context: CommandContext, flags: LoadFlags): Promise<ExitCode> {
  return loadCredential(context, flags, 'client-credentials', async (terminal) => ({
    kind: 'client-credentials',
    value: await readFields(terminal, CLIENT_CREDENTIALS_FIELDS),
  }));
}

/**
 * `latchkey api-key put`: loads an API key that was generated elsewhere.
 * @throws {CommandError}
 */
export function putApiKey(context: CommandContext, flags: LoadFlags): Promise<ExitCode> {
  return loadCredential(context, flags, 'api-key', async (terminal) => {
    const { apiKey, validUntil } = await readFields(terminal, API_KEY_FIELDS);
    return { kind: 'api-key', value: { apiKey, validUntil: utcTime(validUntil)! } };
  });
}

/**
 * Tests a credential and then writes it: directly if it is the first, otherwise by a rotation. Checks everything else
 * before asking for the credential.
 * @throws {CommandError}
 */
async function loadCredential(
  context: CommandContext,
  flags: LoadFlags,
  kind: CredentialKind,
  read: (terminal: Terminal) => Promise<CredentialValue>,
): Promise<ExitCode> {
  const { terminal } = context;
  const chosen = await pickTenant(context, flags);
  const secret = new LabeledSecret(chosen, kind, terminal.interrupted);
  await requireNoneUnderWay(context, secret, await secret.describe(), flags);
  const credential = await read(terminal);
  const outcome = await proveCredential(context, chosen, credential);
  if (outcome.kind !== 'proven') throw notProven(kind, outcome, 'Nothing was stored');

  // Typing may have taken a while.
  const state = await secret.describe();
  if (state.versionWith.AWSCURRENT === undefined) {
    return loadFirst(context, secret, state, credential.value);
  }
  await requireNoneUnderWay(context, secret, state, flags);
  const staged = await writeVersion(context, secret, state, credential.value, CANDIDATE_LABEL);
  if (staged.kind === 'conflict') throw stagedMeanwhile(secret);
  return promoteAndReport(context, secret, flags);
}
