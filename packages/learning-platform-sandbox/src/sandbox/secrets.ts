import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret: 256 random bits in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * SHA-256 of a text in hexadecimal digits. The platform stores only digests of issued values, which also makes the duration of
 * a lookup independent of the value.
 */
export function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** Whether the secret has this digest, compared in constant time. */
export function hasDigest(secret: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(digest(secret)), Buffer.from(expected));
}
