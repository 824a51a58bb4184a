import { createHash } from 'node:crypto';

/** SHA-256 over the UTF-8 bytes of a text: 64 lower-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
