import { type CredentialKind } from '../../contract/secret-names';
import { type CredentialSecret, type SecretState } from './credential-secret';

/** What becomes of the credential that was current before. */
export interface PreviousFate {
  versionId: string;
  fate: 'kept' | 'revoked';
  /** Of an API key that is kept: callers of the restore API may use it until then. */
  acceptedUntil?: string;
}

/** The version that was current before; undefined where there is none but the current one. */
export function realPrevious({ versionWith }: SecretState): string | undefined {
  return versionWith.AWSPREVIOUS === versionWith.AWSCURRENT ? undefined : versionWith.AWSPREVIOUS;
}

/** Nobody finds that version any longer: neither the API's authorizer nor a rollback. @throws {CommandError} */
export function takeOffPrevious(secret: CredentialSecret, versionId: string): Promise<'moved' | 'conflict'> {
  return secret.moveLabel('AWSPREVIOUS', { from: versionId });
}

/** What the operator is told of the old credential. */
export function previousLine({ kind }: CredentialSecret, previous: PreviousFate | undefined): string {
  if (previous === undefined) return 'There is no previous one.';
  const { versionId, fate, acceptedUntil } = previous;
  if (fate === 'revoked') return `Revoked here: version ${versionId}. ${atThePlatform(kind)}`;
  if (kind === 'client-credentials') {
    return `Previous: version ${versionId}, kept for a rollback. The tokens that it minted are being replaced.`;
  }
  const until = acceptedUntil === undefined ? 'during its grace' : `until ${acceptedUntil}`;
  return `Previous: version ${versionId}, which the restore API accepts ${until}.`;
}

/** The platform has no operation to revoke a credential: only people there can. */
export function atThePlatform(kind: CredentialKind): string {
  return kind === 'client-credentials'
    ? "The platform itself still knows the old client secret: ask the platform's support to revoke it."
    : "The platform itself still knows the old API key: ask the platform's support, or your site administrators, to revoke it.";
}
