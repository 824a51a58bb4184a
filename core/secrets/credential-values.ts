import { type FieldNames } from '../deployment/deployment-file';
import { parseJsonObject } from '../json/json-object';
import { type CredentialKind } from './secret-names';
import { type ApiKeyValue, type ClientCredentialsValue } from './secret-values';

/** A credential from a secret, with its kind. */
export type CredentialValue =
  { kind: 'client-credentials'; value: ClientCredentialsValue } | { kind: 'api-key'; value: ApiKeyValue };

/** Parses the value of a client-credentials secret; undefined if it is invalid. */
export function parseClientCredentials(
  text: string | undefined,
  names: FieldNames<ClientCredentialsValue> = {},
): ClientCredentialsValue | undefined {
  const fields = parseFields(text);
  const clientId = fields[names.clientId ?? 'clientId'];
  const clientSecret = fields[names.clientSecret ?? 'clientSecret'];
  return isText(clientId) && isText(clientSecret) ? { clientId, clientSecret } : undefined;
}

/** Parses the value of an API-key secret; undefined if it is invalid or has no valid expiry. */
export function parseApiKey(
  text: string | undefined,
  names: FieldNames<ApiKeyValue> = {},
): ApiKeyValue | undefined {
  const fields = parseFields(text);
  const apiKey = fields[names.apiKey ?? 'apiKey'];
  const validUntil = fields[names.validUntil ?? 'validUntil'];
  const isKey = isText(apiKey) && isText(validUntil) && !Number.isNaN(Date.parse(validUntil));
  return isKey ? { apiKey, validUntil } : undefined;
}

/** Parses a credential of the given kind; undefined if it is invalid. */
export function parseCredential(
  kind: CredentialKind,
  text: string | undefined,
  names?: FieldNames,
): CredentialValue | undefined {
  if (kind === 'client-credentials') {
    const value = parseClientCredentials(text, names);
    return value && { kind, value };
  }
  const value = parseApiKey(text, names);
  return value && { kind, value };
}

/** Whether two secret values hold the same credential, whatever their formatting. A missing value equals nothing. */
export function isSameCredential(
  kind: CredentialKind,
  a: string | undefined,
  b: string | undefined,
  names?: FieldNames,
): boolean {
  if (a === undefined) return false;
  if (a === b) return true;
  const parsed = parseCredential(kind, a, names);
  return parsed !== undefined && JSON.stringify(parsed) === JSON.stringify(parseCredential(kind, b, names));
}

/** A credential's fields under the names that its secret gives them. */
export function renameFields(value: object, names: FieldNames = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [names[name as keyof FieldNames] ?? name, field]),
  );
}

/** The value with the fields that only another value of the secret has. Unchanged if there are none. */
export function withFurtherFields(text: string, other: string | undefined): string {
  const own = parseFields(text);
  const further = Object.entries(parseFields(other)).filter(([name]) => !Object.hasOwn(own, name));
  return further.length === 0 ? text : JSON.stringify({ ...own, ...Object.fromEntries(further) });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Returns no fields for invalid JSON. Never throws: the parser's error would quote the secret. */
function parseFields(text: string | undefined): Record<string, unknown> {
  return parseJsonObject(text ?? '') ?? {};
}
