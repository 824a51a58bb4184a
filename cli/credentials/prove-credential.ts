import { unlessAborted } from '../../client/unless-aborted';
import { PlatformProof, type ProofOutcome } from '../../lambdas/shared/adapters/platform-proof';
import { type CredentialValue } from '../../lambdas/shared/domain/credential-values';
import { type CommandContext } from '../command';
import { interruption } from '../command-error';
import { type ChosenTenant } from '../system';

/** A new API key may lag for half a minute. */
const PROOF_TIMEOUT_MS = 60_000;

/**
 * Uses a credential once at the platform, and shows that this takes a while.
 * @throws {CommandError} when interrupted
 */
export async function proveCredential(
  context: CommandContext,
  { system, deployment, tenant }: ChosenTenant,
  credential: CredentialValue,
): Promise<ProofOutcome> {
  const { terminal } = context;
  const proof = new PlatformProof({
    platform: deployment.platform,
    sendRequest: system.sendRequest,
    clock: {
      nowMs: () => context.nowMs(),
      // For the length of one proof the machine's clock does.
      monotonicMs: () => context.nowMs(),
      sleep: (ms) => context.sleep(ms),
    },
  });
  const progress = terminal.progress(`Asking the platform whether the ${credential.kind} works`);
  try {
    const proving = proof.prove(tenant, credential, context.nowMs() + PROOF_TIMEOUT_MS);
    const outcome = await unlessAborted(proving, terminal.interrupted);
    if (outcome.kind === 'proven') progress.done('The platform accepts it');
    else progress.failed('The platform does not accept it');
    return outcome;
  } catch (error) {
    progress.failed('Not proven');
    throw terminal.interrupted.aborted ? interruption() : error;
  }
}
