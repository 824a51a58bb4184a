import { createHash } from 'node:crypto';

/** Lower-case hex of the SHA-256 over the token's UTF-8 bytes: how a token is named without being shown. */
export function tokenDigest(accessToken: string): string {
  return createHash('sha256').update(accessToken, 'utf8').digest('hex');
}
