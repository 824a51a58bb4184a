import { sha256Hex } from '../../../contract/sha256';

/** The version of a secret that a writer has seen: what its write is derived from. */
export interface SeenVersion {
  secretArn: string;
  /** Undefined where the secret had no current version. */
  versionId: string | undefined;
  /** 0, or more after a conflict that left the current version as it was: someone moved labels by hand. */
  attempt: number;
}

/**
 * The ClientRequestToken of the one write that may follow a version: a UUID-shaped SHA-256 over what was seen.
 * Two writers that saw the same version use the same token, so Secrets Manager refuses the second one's other value;
 * a repetition of one and the same write is a success that changes nothing.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (ClientRequestToken)
 */
export function nextVersionId({ secretArn, versionId, attempt }: SeenVersion): string {
  const hex = sha256Hex(JSON.stringify([secretArn, versionId ?? 'none', attempt]));
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
