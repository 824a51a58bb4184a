import { type CredentialKind } from '../../../contract/secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from '../../../contract/secret-values';

/** A credential with its kind, read out of a secret. */
export type CredentialValue =
  { kind: 'client-credentials'; value: ClientCredentialsValue } | { kind: 'api-key'; value: ApiKeyValue };

/** Client credentials, as their secret holds them; undefined for anything else. */
export function parseClientCredentials(text: string | undefined): ClientCredentialsValue | undefined {
  const { clientId, clientSecret } = parseFields(text);
  return isText(clientId) && isText(clientSecret) ? { clientId, clientSecret } : undefined;
}

/** An API key, as its secret holds it; undefined for anything else, also for a key whose validity ends at no known time. */
export function parseApiKey(text: string | undefined): ApiKeyValue | undefined {
  const { apiKey, validUntil } = parseFields(text);
  const isKey = isText(apiKey) && isText(validUntil) && !Number.isNaN(Date.parse(validUntil));
  return isKey ? { apiKey, validUntil } : undefined;
}

/** A credential of that kind; undefined for anything else. */
export function parseCredential(kind: CredentialKind, text: string | undefined): CredentialValue | undefined {
  if (kind === 'client-credentials') {
    const value = parseClientCredentials(text);
    return value && { kind, value };
  }
  const value = parseApiKey(text);
  return value && { kind, value };
}

/** Whether two secret values are the same credential, however they are written. No value is like no other. */
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

/** No fields for what is no JSON: the parser's message would quote the secret. */
function parseFields(text: string | undefined): Record<string, unknown> {
  try {
    return (JSON.parse(text ?? '') ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}
