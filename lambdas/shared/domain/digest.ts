import { createHash } from 'node:crypto';

/** Lower-case hex of the SHA-256 over the text's UTF-8 bytes: how callers name a token without showing it. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
