import { type CredentialKind } from '../../../contract/secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from '../../../contract/secret-values';

/** A credential from a secret, with its kind. */
export type CredentialValue =
  { kind: 'client-credentials'; value: ClientCredentialsValue } | { kind: 'api-key'; value: ApiKeyValue };

/** Parses the value of a client-credentials secret; undefined if it is invalid. */
export function parseClientCredentials(text: string | undefined): ClientCredentialsValue | undefined {
  const { clientId, clientSecret } = parseFields(text);
  return isText(clientId) && isText(clientSecret) ? { clientId, clientSecret } : undefined;
}

/** Parses the value of an API-key secret; undefined if it is invalid or has no valid expiry. */
export function parseApiKey(text: string | undefined): ApiKeyValue | undefined {
  const { apiKey, validUntil } = parseFields(text);
  const isKey = isText(apiKey) && isText(validUntil) && !Number.isNaN(Date.parse(validUntil));
  return isKey ? { apiKey, validUntil } : undefined;
}

/** Parses a credential of the given kind; undefined if it is invalid. */
export function parseCredential(kind: CredentialKind, text: string | undefined): CredentialValue | undefined {
  if (kind === 'client-credentials') {
    const value = parseClientCredentials(text);
    return value && { kind, value };
  }
  const value = parseApiKey(text);
  return value && { kind, value };
}

/** Whether two secret values hold the same credential, whatever their formatting. A missing value equals nothing. */
export function isSameCredential(
  kind: CredentialKind,
  a: string | undefined,
  b: string | undefined,
): boolean {
  if (a === undefined) return false;
  const parsed = parseCredential(kind, a);
  return (
    a === b || (parsed !== undefined && JSON.stringify(parsed) === JSON.stringify(parseCredential(kind, b)))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns no fields for invalid JSON. Never throws: the parser's error would quote the secret. */
function parseFields(text: string | undefined): Record<string, unknown> {
  try {
    return (JSON.parse(text ?? '') ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
