import { z } from 'zod';

import { TENANT_ID } from '../../contract/platform';
import { type CredentialKind } from '../../contract/secret-names';
import { type ConfigurationIssue, issueLine } from '../../lib/config/configuration-issue';
import { checkShape } from '../../lib/config/load';
import { TENANT_ID_RULE } from '../../lib/config/tenant-settings';
import { utcTime } from '../credentials/credential-input';
import { showArgument } from '../safe-text';

/** Where a text is kept. */
export interface Place {
  readonly type: 'parameter' | 'secret' | 'environment';
  /** Name or ARN of an SSM parameter or a secret, or the name of an environment variable. */
  readonly name: string;
}

/** Where one field of a credential is: the whole text of a place, a field of its JSON object, or in the map itself. */
export type FieldSource = { readonly place: Place; readonly field?: string } | { readonly literal: string };

/** Where the fields of a credential are. */
export interface CredentialSource {
  readonly kind: CredentialKind;
  readonly fields: Readonly<Record<string, FieldSource>>;
}

/** The sources of each tenant. */
export type SourceMap = ReadonlyMap<string, readonly CredentialSource[]>;

const PLACES = ['parameter', 'secret', 'environment'] as const;
const name = (rule: string, pattern: RegExp) => z.string({ error: rule }).regex(pattern, { error: rule });
const PLACE_FIELDS = {
  parameter: name('the name or ARN of an SSM parameter', /^[\w.:/-]{1,2048}$/).optional(),
  secret: name('the name or ARN of a secret', /^[\w/+=.@:-]{1,2048}$/).optional(),
  environment: name('the name of an environment variable', /^[A-Za-z_]\w{0,254}$/).optional(),
};
type WrittenPlace = Partial<Record<(typeof PLACES)[number], string | undefined>>;

const fieldName = name('the name of a field', /^[^\p{C}]{1,200}$/u);
const part = z
  .strictObject({ ...PLACE_FIELDS, field: fieldName.optional() })
  .refine((place) => placesOf(place).length === 1, { error: `one of ${PLACES.join(', ')}` });
const TIME = 'a time such as 2027-03-31T00:00:00Z, or where it is';
const time = z.string().refine((text) => utcTime(text) !== undefined, { error: TIME });

const ofFields = 'either one place for all fields, or a place for each: ';
const clientCredentials = z
  .strictObject({
    ...PLACE_FIELDS,
    fields: z.strictObject({ clientId: fieldName.optional(), clientSecret: fieldName.optional() }).optional(),
    clientId: part.optional(),
    clientSecret: part.optional(),
  })
  .refine((credential) => isComplete(credential, ['clientId', 'clientSecret']), {
    error: `${ofFields}clientId, clientSecret`,
  });
const apiKey = z
  .strictObject({
    ...PLACE_FIELDS,
    fields: z.strictObject({ apiKey: fieldName.optional(), validUntil: fieldName.optional() }).optional(),
    apiKey: part.optional(),
    validUntil: z.union([time, part], { error: TIME }).optional(),
  })
  .refine((key) => isComplete(key, placesOf(key).length > 0 ? ['apiKey'] : ['apiKey', 'validUntil']), {
    error: `${ofFields}apiKey, validUntil`,
  });

const mapSchema = z.strictObject({
  tenants: z.record(
    z.string().regex(TENANT_ID, { error: TENANT_ID_RULE }),
    z
      .strictObject({ clientCredentials: clientCredentials.optional(), apiKey: apiKey.optional() })
      .refine((tenant) => Object.values(tenant).some((each) => each !== undefined), {
        error: 'clientCredentials, apiKey',
      }),
  ),
});

/**
 * Parses what the file of `latchkey import --from` has.
 * @returns the sources, or what is wrong. Never quotes a value: it may be a misplaced secret.
 */
export function parseSourceMap(value: unknown): { map: SourceMap } | { faults: string[] } {
  const { data, issues } = checkShape(mapSchema, value);
  if (data === undefined) return { faults: issues.map((issue) => issueLine(withoutValue(issue))) };
  const map = Object.entries(data.tenants).map(([tenantId, { clientCredentials: pair, apiKey: key }]) => {
    const sources: CredentialSource[] = [];
    if (pair !== undefined) {
      const fields = { clientId: sourceOf(pair, 'clientId'), clientSecret: sourceOf(pair, 'clientSecret') };
      sources.push({ kind: 'client-credentials', fields });
    }
    if (key !== undefined) {
      const fields = { apiKey: sourceOf(key, 'apiKey'), validUntil: sourceOf(key, 'validUntil') };
      sources.push({ kind: 'api-key', fields });
    }
    return [tenantId, sources] as const;
  });
  return { map: new Map(map) };
}

function placesOf(written: WrittenPlace): Place[] {
  return PLACES.flatMap((type) => {
    const found = written[type];
    return found === undefined ? [] : [{ type, name: found }];
  });
}

/** Whether there is one place for all fields, or one for each of these. */
function isComplete(
  credential: WrittenPlace & { fields?: object | undefined } & object,
  fields: readonly string[],
): boolean {
  const own = fields.filter((field) => (credential as Record<string, unknown>)[field] !== undefined).length;
  return placesOf(credential).length === 0
    ? own === fields.length && credential.fields === undefined
    : placesOf(credential).length === 1 && own === 0;
}

function sourceOf<Field extends string>(
  credential: WrittenPlace & { fields?: Partial<Record<Field, string | undefined>> | undefined } & {
    [Each in Field]?: (WrittenPlace & { field?: string | undefined }) | string | undefined;
  },
  field: Field,
): FieldSource {
  const own = credential[field];
  if (typeof own === 'string') return { literal: own };
  const [place] = placesOf(own ?? credential);
  const inJson = own === undefined ? (credential.fields?.[field] ?? field) : own.field;
  return { place: place!, ...(inJson !== undefined && { field: inJson }) };
}

const A_TEXT = Symbol('a text');
/** The fields of a map that are longer than what `showArgument` shows. */
const FIELDS = ['clientCredentials'];

/** An issue without what may be a misplaced secret: values, and names that are none of the map's. */
function withoutValue({ path, found, allowed }: ConfigurationIssue): ConfigurationIssue {
  return {
    path: path.map((part) => (typeof part === 'number' || FIELDS.includes(part) ? part : showArgument(part))),
    found: typeof found === 'string' ? A_TEXT : found,
    allowed,
  };
}
