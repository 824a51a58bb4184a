import { createHash, timingSafeEqual } from 'node:crypto';

import { type CallerVersion } from '../restore/restore-audit';

/** The digest of a secret that authenticates a caller. */
export interface AcceptedSecret {
  sha256: Buffer;
  /** When it stops being accepted, in ms since the epoch. */
  acceptedUntilMs: number;
  /** Whether it allows a restore: an API key always, a token depending on its scope. */
  mayWrite: boolean;
  /** Written to the log. */
  source: SecretSource;
}

/** Which API key or token authenticated a caller, and which version of it. */
export interface SecretSource {
  /** `api-key`, or a token type such as `content api/write`. */
  name: string;
  /** Whether it is the current value of its secret or the previous one. */
  version: CallerVersion;
  /** Version id in Secrets Manager. */
  versionId: string;
}

/** SHA-256 of a presented or stored secret: a constant-time comparison needs equal lengths. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Finds the accepted secret that was presented. Always compares with all of them, so that timing reveals nothing. */
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
