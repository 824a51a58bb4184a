import { type CredentialKind } from '../../core/secrets/secret-names';
import { type CommandContext } from '../command';
import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { type ChosenTenant } from '../system';
import { type ChosenSecret, chooseSecret } from './choose-secret';
import { type LabeledSecret, type SecretState } from './labeled-secret';

/** What happens to the previously current credential. */
export interface PreviousFate {
  versionId: string;
  fate: 'kept' | 'revoked';
  /** For an API key that is kept: the restore API accepts it until then. */
  acceptedUntil?: string;
}

/** The previous version; undefined if there is none besides the current one. */
function realPrevious({ versionWith }: SecretState): string | undefined {
  return versionWith.AWSPREVIOUS === versionWith.AWSCURRENT ? undefined : versionWith.AWSPREVIOUS;
}

/**
 * The secret of the given kind, or else the only one that has a previous version, and that version.
 * @param action what the command does with it, for the error
 * @throws {CommandError} `no_previous`
 */
export async function choosePrevious(
  context: CommandContext,
  chosen: ChosenTenant,
  kind: CredentialKind | undefined,
  action: 'revoke' | 'restore',
  advice: string,
): Promise<ChosenSecret & { previous: string }> {
  const hasPrevious = (state: SecretState) => realPrevious(state) !== undefined;
  const { secret, state } = await chooseSecret(context, chosen, kind, hasPrevious, (kinds) => {
    const message = `there is no previous ${kinds} to ${action}`;
    return new CommandError(EXIT.failed, 'no_previous', message, { advice });
  });
  return { secret, state, previous: realPrevious(state)! };
}

/** Removes AWSPREVIOUS, so that neither the API's authorizer nor a rollback finds the version. @throws {CommandError} */
export function removePreviousLabel(secret: LabeledSecret, versionId: string): Promise<'moved' | 'conflict'> {
  return secret.moveLabel('AWSPREVIOUS', { from: versionId });
}

/** The line about the previous credential. */
export function previousLine(secret: LabeledSecret, previous: PreviousFate | undefined): string {
  if (previous === undefined) return 'Previous: none';
  const { versionId, fate, acceptedUntil } = previous;
  if (fate === 'revoked') return `Revoked in Latchkey: version ${versionId}. ${revokeAtIssuerAdvice(secret)}`;
  if (secret.kind === 'client-credentials') {
    return `Previous: version ${versionId}, kept for a rollback. Its tokens are being replaced.`;
  }
  const until = acceptedUntil === undefined ? 'during the grace period' : `until ${acceptedUntil}`;
  return `Previous: version ${versionId}. The restore API accepts it ${until}, as long as the platform does`;
}

/** Advice to revoke a credential at its issuer, which Latchkey cannot do. */
export function revokeAtIssuerAdvice({ kind, issuer }: LabeledSecret): string {
  return kind === 'client-credentials'
    ? `The client secret still works at ${issuer}: revoke it there, or ask the issuer's support to`
    : "The platform still accepts the old API key: ask the platform's support or your site administrators to revoke it";
}
