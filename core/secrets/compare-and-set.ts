import { sha256Hex } from './sha256';

/** The version of a secret that a writer has read, and from which it derives its write. */
export interface SeenVersion {
  secretArn: string;
  /** Undefined if the secret had no current version. */
  versionId: string | undefined;
  /** Higher after a conflict that did not change the current version. Writers of tokens need none. @default 0 */
  attempt?: number;
}

/**
 * The ClientRequestToken for the write that follows a version: a SHA-256 of what was read, in the form of a UUID.
 * Two writers that read the same version use the same token, so Secrets Manager refuses the second write if its value
 * differs. A retry of the same write succeeds and changes nothing.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (ClientRequestToken)
 */
export function nextVersionId({ secretArn, versionId, attempt = 0 }: SeenVersion): string {
  const hex = sha256Hex(JSON.stringify([secretArn, versionId ?? 'none', attempt]));
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
