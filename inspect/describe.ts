import { type CredentialSnapshot, type TokenSnapshot } from '../contract/deployment-snapshot';
import { type TokenType } from '../contract/platform';
import { type CredentialKind } from '../contract/secret-names';
import { timeMs } from './times';
import { versionWith } from './versions';

/** The names of credentials in messages. */
export const CREDENTIAL_NAMES: Readonly<Record<CredentialKind, string>> = {
  'client-credentials': 'client credential',
  'api-key': 'API key',
};

/** A token's name in messages, such as `content api/read`. */
export function tokenName(token: TokenType): string {
  return `${token.interface} ${token.scope}`;
}

/** The state of a credential secret in a word or two. */
export function describeCredential(
  credential: CredentialSnapshot,
): 'loaded' | 'not loaded' | 'missing' | 'scheduled for deletion' | 'access denied' | 'unavailable' {
  switch (credential.access) {
    case 'ok':
      return versionWith(credential.versions, 'AWSCURRENT') === undefined ? 'not loaded' : 'loaded';
    case 'missing':
    case 'unavailable':
      return credential.access;
    case 'scheduled_for_deletion':
      return 'scheduled for deletion';
    case 'denied':
      return 'access denied';
  }
}

/** Time until a stored token expires, in ms: negative once expired, undefined if none is stored. */
export function timeToExpiryMs(token: TokenSnapshot, nowMs: number): number | undefined {
  const expiresAtMs = token.access === 'ok' ? timeMs(token.token?.expiresAt) : undefined;
  return expiresAtMs === undefined ? undefined : expiresAtMs - nowMs;
}
