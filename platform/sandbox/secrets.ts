import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new opaque value that cannot be guessed: 256 random bits, in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * SHA-256 of a text, in hexadecimal digits: what the platform keeps of an issued value. Looking up by digest takes no time
 * that depends on the value itself.
 */
export function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Whether the value is the one with that digest, in constant time. */
export function hasDigest(secret: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(digest(secret)), Buffer.from(expected));
}
