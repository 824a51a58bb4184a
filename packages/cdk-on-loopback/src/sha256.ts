import { createHash } from 'node:crypto';

/** SHA-256 of bytes, or of a text in UTF-8, as 64 lower-case hexadecimal digits. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
