import { unlessAborted } from '../../client/waits';
import { type CredentialKind } from '../../core/secrets/secret-names';
import { PlatformProof, type ProofOutcome } from '../../lambdas/shared/adapters/platform-proof';
import { type CredentialValue } from '../../core/secrets/credential-values';
import { tokenNames } from '../../core/findings/describe';
import { type CommandContext } from '../command';
import { CommandError, interruption } from '../command-error';
import { EXIT } from '../exit-codes';
import { type ChosenTenant } from '../system';

/** A new API key may take half a minute to work. */
const PROOF_TIMEOUT_MS = 60_000;

/**
 * Tests a credential against the platform.
 * @throws {CommandError} when interrupted
 */
export async function proveCredential(
  context: CommandContext,
  { system, deployment, tenant }: ChosenTenant,
  credential: CredentialValue,
): Promise<ProofOutcome> {
  const { terminal } = context;
  const proof = new PlatformProof({
    deployment: deployment.issuing,
    sendRequest: system.sendRequest,
    clock: {
      nowMs: () => context.nowMs(),
      monotonicMs: () => context.nowMs(),
      sleep: (ms) => context.sleep(ms),
    },
  });
  const progress = terminal.progress(`Testing the ${credential.kind} with the platform`);
  try {
    const proving = proof.prove(tenant, credential, context.nowMs() + PROOF_TIMEOUT_MS);
    const outcome = await unlessAborted(proving, terminal.interrupted);
    if (outcome.kind === 'proven') progress.done('The platform accepts it');
    else progress.failed(outcome.kind === 'refused' ? 'The platform refuses it' : 'Could not test it');
    return outcome;
  } catch (error) {
    progress.failed('Not tested');
    throw terminal.interrupted.aborted ? interruption() : error;
  }
}

/** The error for a credential that the platform refused or could not be asked about. */
export function notProven(
  kind: CredentialKind,
  outcome: Exclude<ProofOutcome, { kind: 'proven' }>,
  advice: string,
): CommandError {
  const { reason } = outcome;
  if (outcome.kind === 'could_not_test') {
    const message = `the ${kind} could not be tested: ${reason}`;
    return new CommandError(EXIT.unavailable, 'could_not_test', message, { advice });
  }
  if (outcome.lacks === undefined) {
    const message = `the platform refuses the ${kind}: ${reason}`;
    return new CommandError(EXIT.refused, 'credential_refused', message, { advice });
  }
  return new CommandError(EXIT.refused, 'scope_refused', `the platform refuses the ${kind}: ${reason}`, {
    advice:
      `${advice}. Ask the platform's support for ${kind} with ${tokenNames(outcome.lacks)}, ` +
      'or remove what is not needed from the tenant in the configuration',
  });
}
