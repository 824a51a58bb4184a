import { type CredentialKind } from '../../contract/secret-names';
import { type LabeledSecret, type SecretState } from './labeled-secret';

/** What happens to the previously current credential. */
export interface PreviousFate {
  versionId: string;
  fate: 'kept' | 'revoked';
  /** For an API key that is kept: the restore API accepts it until then. */
  acceptedUntil?: string;
}

/** The previous version; undefined if there is none besides the current one. */
export function realPrevious({ versionWith }: SecretState): string | undefined {
  return versionWith.AWSPREVIOUS === versionWith.AWSCURRENT ? undefined : versionWith.AWSPREVIOUS;
}

/** Removes AWSPREVIOUS, so that neither the API's authorizer nor a rollback finds the version. @throws {CommandError} */
export function takeOffPrevious(secret: LabeledSecret, versionId: string): Promise<'moved' | 'conflict'> {
  return secret.moveLabel('AWSPREVIOUS', { from: versionId });
}

/** The line about the previous credential. */
export function previousLine({ kind }: LabeledSecret, previous: PreviousFate | undefined): string {
  if (previous === undefined) return 'Previous: none';
  const { versionId, fate, acceptedUntil } = previous;
  if (fate === 'revoked') return `Revoked in Latchkey: version ${versionId}. ${atThePlatform(kind)}`;
  if (kind === 'client-credentials') {
    return `Previous: version ${versionId}, kept for a rollback. Its tokens are being replaced.`;
  }
  const until = acceptedUntil === undefined ? 'during the grace period' : `until ${acceptedUntil}`;
  return `Previous: version ${versionId}. The restore API accepts it ${until}`;
}

/** Advice to revoke a credential at the platform, which has no operation for it. */
export function atThePlatform(kind: CredentialKind): string {
  return kind === 'client-credentials'
    ? "The platform still accepts the old client secret: ask the platform's support to revoke it"
    : "The platform still accepts the old API key: ask the platform's support or your site administrators to revoke it";
}
