import { type ProveAnswer, type ProveEvent } from '../../core/rotation/api-key-proof';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { invokeFunction, startFunction } from '../invoke-function';
import { type ChosenTenant } from '../system';
import { followUp } from '../terminal';

/** rotate-credentials asks the platform for up to 10 s. */
const PROOF_TIMEOUT_MS = 60_000;

/** Why an API key does not open the restore API yet. `isRefused`: the platform refuses it, or it is no API key. */
export interface UnprovenKey {
  reason: string;
  isRefused: boolean;
}

/**
 * Has rotate-credentials test a tenant's current API key: the restore API accepts only a key that this function has tested.
 * @returns undefined if the key opens it, or if API keys open nothing in this deployment
 */
export async function haveKeyProven(
  context: CommandContext,
  chosen: ChosenTenant,
): Promise<UnprovenKey | undefined> {
  const progress = context.terminal.progress('Having the API key proven');
  try {
    const { isAccepted, isRefused, outcome } = await proveKey(context, chosen);
    if (isAccepted) progress.done(outcome);
    else progress.failed('The restore API does not accept it yet');
    return isAccepted ? undefined : { reason: outcome, isRefused };
  } catch (error) {
    progress.failed('Not known whether the restore API accepts it');
    if (error instanceof CommandError) return { reason: error.message, isRefused: false };
    throw error;
  }
}

/**
 * Has rotate-credentials test a tenant's current API key.
 * @returns `isAccepted`: also if API keys open nothing in this deployment; `outcome`: a sentence without a full stop
 * @throws {CommandError}
 */
export async function proveKey(
  { terminal }: CommandContext,
  { deployment, tenant: { tenantId } }: ChosenTenant,
): Promise<{ isAccepted: boolean; isRefused: boolean; outcome: string }> {
  const event: ProveEvent = { action: 'prove', tenantIds: [tenantId] };
  const options = { interrupted: terminal.interrupted, timeoutMs: PROOF_TIMEOUT_MS };
  const answer = await invokeFunction<ProveAnswer>(deployment, 'rotate-credentials-arn', event, options);
  const proof = answer.tenants.find((each) => each.tenantId === tenantId);
  const isRefused = proof?.outcome === 'refused';
  if (proof === undefined)
    return { isAccepted: true, isRefused, outcome: 'API keys open no restore API here' };
  if (proof.outcome === 'proven' || proof.outcome === 'unchanged') {
    return { isAccepted: true, isRefused, outcome: 'The platform accepts the API key' };
  }
  return { isAccepted: false, isRefused, outcome: [proof.outcome, proof.reason].filter(Boolean).join(': ') };
}

/** Has rotate-credentials record which API keys count, after AWSPREVIOUS was removed: the revoked one must not serve again. */
export function startProof(
  { terminal }: CommandContext,
  { deployment, tenant: { tenantId } }: ChosenTenant,
): Promise<void> {
  const event: ProveEvent = { action: 'prove', tenantIds: [tenantId] };
  const unrecorded = 'Write no API key by hand in the next 5 min, or the revoked one may serve again';
  return followUp(terminal, unrecorded, () =>
    startFunction(deployment, 'rotate-credentials-arn', event, terminal.interrupted),
  );
}
