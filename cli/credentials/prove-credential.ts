import { unlessAborted } from '../../client/waits';
import { PlatformProof } from '../../lambdas/shared/adapters/platform-proof';
import { type ProofOutcome } from '../../lambdas/shared/ports';
import { type CredentialValue } from '../../core/secrets/credential-values';
import { type CommandContext } from '../command';
import { CommandError, interruption } from '../command-error';
import { EXIT } from '../exit-codes';
import { type ChosenTenant } from '../system';
import { issuerOf, type LabeledSecret } from './labeled-secret';
import { tokenNames } from '../../core/tokens/token-key';

/** A new API key may take half a minute to work. */
const PROOF_TIMEOUT_MS = 60_000;

/** Tests a credential at its issuer. @throws {CommandError} when interrupted */
export async function proveCredential(
  context: CommandContext,
  chosen: ChosenTenant,
  credential: CredentialValue,
): Promise<ProofOutcome> {
  const { terminal } = context;
  const { system, deployment, tenant } = chosen;
  const issuer = issuerOf(chosen, credential.kind);
  const proof = new PlatformProof({
    deployment: deployment.issuing,
    sendRequest: system.sendRequest,
    clock: {
      nowMs: () => context.nowMs(),
      monotonicMs: () => context.nowMs(),
      sleep: (ms) => context.sleep(ms),
    },
  });
  const progress = terminal.progress(`Testing the ${credential.kind} at ${issuer}`);
  try {
    const proving = proof.prove(tenant, credential, context.nowMs() + PROOF_TIMEOUT_MS);
    const outcome = await unlessAborted(proving, terminal.interrupted);
    if (outcome.kind === 'proven') progress.done(`Accepted by ${issuer}`);
    else progress.failed(outcome.kind === 'refused' ? `Refused by ${issuer}` : 'Could not test it');
    return outcome;
  } catch (error) {
    progress.failed('Not tested');
    throw terminal.interrupted.aborted ? interruption() : error;
  }
}

/** The error for a credential that its issuer refused or could not be asked about. */
export function notProven(
  { kind, issuer }: LabeledSecret,
  outcome: Exclude<ProofOutcome, { kind: 'proven' }>,
  advice: string,
): CommandError {
  const { reason } = outcome;
  if (outcome.kind === 'could_not_test') {
    const message = `the ${kind} could not be tested: ${reason}`;
    return new CommandError(EXIT.unavailable, 'could_not_test', message, { advice });
  }
  const message = `${issuer} refuses the ${kind}: ${reason}`;
  if (outcome.lacks === undefined) {
    return new CommandError(EXIT.refused, 'credential_refused', message, { advice });
  }
  return new CommandError(EXIT.refused, 'scope_refused', message, {
    advice:
      `${advice}. Ask the issuer's support for ${kind} with ${tokenNames(outcome.lacks)}, ` +
      'or remove what is not needed from the tenant in the configuration',
  });
}
