import { createHash, timingSafeEqual } from 'node:crypto';

/** A secret that authenticates a caller, kept as its digest only. */
export interface AcceptedSecret {
  sha256: Buffer;
  /** It authenticates no longer from then on. */
  acceptedUntilMs: number;
  /** Whether what it stands for may restore: an API key always, a token by its scope. */
  mayWrite: boolean;
}

/** SHA-256 of a presented or stored secret: equal lengths are what a comparison in constant time needs. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The accepted secret that was presented, if any. Compares with every one of them, whichever matches. */
export function findAccepted(
  accepted: readonly AcceptedSecret[],
  presentedSha256: Buffer,
  nowMs: number,
): AcceptedSecret | undefined {
  let found: AcceptedSecret | undefined;
  for (const secret of accepted) {
    const isEqual = timingSafeEqual(secret.sha256, presentedSha256);
    if (isEqual && secret.acceptedUntilMs > nowMs) found = secret;
  }
  return found;
}
