import { z } from 'zod';

import { type IssuerProfile, type RequestField } from '../../core/issuers/issuer-profile';
import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { NAME, NAME_RULE, RESERVED_ISSUER_NAMES } from '../../core/tokens/key-check';

/** A name that is part of the names of stacks, secrets and parameters. */
export const lowerCaseName = z.string({ error: NAME_RULE }).regex(NAME, { error: NAME_RULE });

/** A shared region name would let event rules for the learning platform match the issuer's events. */
const PLATFORM_REGIONS: readonly string[] = LEARNING_PLATFORM.regions;
const OTHER_REGIONS = `regions other than ${PLATFORM_REGIONS.join(' and ')}, which the learning platform has`;

/** 15 minutes to 90 days: tokens with a shorter lifetime cannot be renewed in time. */
export const MIN_LIFETIME_SEC = 900;
export const MAX_LIFETIME_SEC = 7_776_000;
const LIFETIME = `whole seconds from ${MIN_LIFETIME_SEC} to ${MAX_LIFETIME_SEC}`;
export const lifetimeSec = z
  .int({ error: LIFETIME })
  .min(MIN_LIFETIME_SEC, { error: LIFETIME })
  .max(MAX_LIFETIME_SEC, { error: LIFETIME });
/** Placeholders in braces; the rest as RFC 3986 allows in a path without percent-encoding. */
const PATH = 'a path that starts with / and has placeholders in braces, such as /oauth/{tenantId}/token';
const BASE = 'an https URL without a path at its end, which may have placeholders, such as https://{host}';
const FIELD = 'the name of a field; dots lead into objects';
const PATTERN = 'a regular expression';

const fieldName = z.string({ error: FIELD }).regex(/^[\w-]+(\.[\w-]+)*$/, { error: FIELD });
const names = z.array(lowerCaseName).min(1, { error: 'at least one name' });
const codes = z.array(z.string().min(1)).optional();

const requestField: z.ZodType<RequestField> = z.lazy(() =>
  z.union([z.string(), z.record(z.string(), requestField)], { error: 'a text, or an object of texts' }),
);

/** RFC 9110, section 5.1. A profile cannot set the headers that every request has. */
const header = z
  .string()
  .regex(
    /^(?!(content-type|content-length|accept|authorization|host|cookie|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|proxy-.*)$)[a-z0-9-]{1,64}$/i,
    {
      error:
        'a header other than Content-Type, Content-Length, Accept, Authorization, Host, Cookie, and those of connections',
    },
  );
const HEADER = 'ASCII characters without line breaks';
const headerText = z.string({ error: HEADER }).regex(/^[\t\x20-\x7e]*$/, { error: HEADER });
const PARAMETER =
  'a name of letters, digits and _ that starts with a letter, other than tenantId, scope, clientId, clientSecret and the properties of every object';
const parameterName = z
  .string()
  .regex(/^(?!(tenantId|scope|clientId|clientSecret)$)[a-z]\w{0,30}$/i, { error: PARAMETER })
  // Such as toString: an object without this parameter would have it.
  .refine((name) => !(name in {}), { error: PARAMETER });

const parameter = z.strictObject({
  description: z.string().min(1).describe('What it is, for people who write a configuration.'),
  pattern: z
    .string({ error: PATTERN })
    .refine(isRegularExpression, { error: PATTERN })
    .optional()
    .describe('A regular expression that the whole value matches. Default: visible ASCII characters.'),
});

const source = z.strictObject({
  basis: z.enum(['documented', 'seen', 'assumed'], { error: 'documented, seen, assumed' }),
  of: z.array(z.string()).min(1),
  says: z.string().min(1),
  page: z.url().optional(),
  date: z.iso.date().optional(),
});

/** The form of an issuer's profile: docs/issuers.md explains each field. */
export const issuerProfile = z
  .strictObject({
    $schema: z.string().optional().describe('Path of this schema, for your editor.'),
    name: lowerCaseName
      .refine((name) => !RESERVED_ISSUER_NAMES.includes(name), {
        error: `a name other than ${RESERVED_ISSUER_NAMES.join(', ')}`,
      })
      .describe('The issuer in names of stacks, secrets and parameters.'),
    title: z.string().min(1).max(60).describe('The issuer in texts.'),
    environments: names.optional().describe('Its environments. Default: any, the names are yours.'),
    regions: names
      .refine((all) => all.every((name) => !PLATFORM_REGIONS.includes(name)), { error: OTHER_REGIONS })
      .optional()
      .describe('Its regions, not those of AWS. Default: it has none.'),
    interfaces: z
      .record(lowerCaseName, z.strictObject({ scopes: z.array(z.string().min(1)).min(1).optional() }))
      .optional()
      .describe('What its tokens are for, and the scopes of each. Default: any, the names are yours.'),
    parameters: z
      .record(parameterName, parameter)
      .optional()
      .describe('What a tenant or one of its tokens has to say besides the tenant’s id.'),
    tokenEndpoint: z
      .strictObject({
        bases: z
          .array(
            z.strictObject({
              url: z.string({ error: BASE }).regex(/^https:\/\/[\w.{}-]+(\/[\w.~{}-]+)*$/, { error: BASE }),
              environment: lowerCaseName.optional(),
              region: lowerCaseName.optional(),
              interface: lowerCaseName.optional(),
            }),
          )
          .min(1)
          .optional()
          .describe(
            'Base URLs, and where each applies: the first that matches. Default: tokenBaseUrl says it.',
          ),
        path: z.string({ error: PATH }).regex(/^(\/[\w.~{}-]+)+$/, { error: PATH }),
      })
      .describe('Where tokens are requested.'),
    request: z
      .strictObject({
        body: z.enum(['form', 'json'], { error: 'form, json' }).optional(),
        clientAuthentication: z
          .enum(['client_secret_post', 'client_secret_basic'], {
            error: 'client_secret_post, client_secret_basic',
          })
          .optional(),
        fields: z.record(z.string(), requestField).optional(),
        headers: z.record(header, headerText).optional(),
        scopeSeparator: z.string().min(1).max(3).optional(),
        oneScope: z.boolean().optional(),
      })
      .optional()
      .describe('The request. Default: a form as in RFC 6749, section 4.4.2, with the client secret in it.'),
    answer: z
      .strictObject({
        accessToken: fieldName.optional(),
        tokenType: z.union([z.literal(false), fieldName]).optional(),
        expiresIn: z.union([z.literal(false), fieldName]).optional(),
        lifetimeSec: lifetimeSec.optional(),
        sameTokenUntilSec: z.int().min(0).max(MAX_LIFETIME_SEC).optional(),
        mayGrantMore: z.boolean().optional(),
      })
      .optional()
      .describe('Where the answer has what matters. Default: as in RFC 6749, section 5.1.'),
    errors: z
      .strictObject({ code: fieldName.optional(), credentialRefused: codes, scopeRefused: codes })
      .optional()
      .describe('Which errors refuse a credential or a scope, besides those of RFC 6749, section 5.2.'),
    sources: z.array(source).optional().describe('What the facts of the profile rest on.'),
  })
  .superRefine(checkAcrossFields)
  .meta({ title: 'Profile of an issuer' });

/** Checks the rules across fields: placeholders have values, and the secret is sent once. */
function checkAcrossFields(profile: IssuerProfile, context: z.RefinementCtx<IssuerProfile>): void {
  const { parameters = {}, tokenEndpoint, request = {} } = profile;
  const fault = (path: (string | number)[], input: unknown, message: string) =>
    context.addIssue({ code: 'custom', path, input, message });
  const checkPlaceholders = (path: (string | number)[], text: string, allowed: readonly string[]) => {
    for (const [, name] of text.matchAll(/\{(\w+)\}/g)) {
      if (!allowed.includes(name!))
        fault(path, text, `the placeholders ${allowed.map((placeholder) => `{${placeholder}}`).join(', ')}`);
    }
  };
  const inAddress = ['tenantId', ...Object.keys(parameters)];
  (tokenEndpoint.bases ?? []).forEach(({ url }, index) =>
    checkPlaceholders(['tokenEndpoint', 'bases', index, 'url'], url, inAddress),
  );
  checkPlaceholders(['tokenEndpoint', 'path'], tokenEndpoint.path, inAddress);
  const inRequest = [...inAddress, 'scope', 'clientId', 'clientSecret'];
  const texts = textsIn(request.fields ?? {}, ['request', 'fields']);
  for (const { path, text } of texts) checkPlaceholders(path, text, inRequest);
  for (const [name, text] of Object.entries(request.headers ?? {}))
    checkPlaceholders(['request', 'headers', name], text, inRequest);
  // A path of more than three parts leads into a field that is an object.
  if (request.body !== 'json' && texts.some(({ path }) => path.length > 3))
    fault(['request', 'fields'], request.fields, 'texts, because the body is a form');
  if (request.fields === undefined) return;
  const isBasic = request.clientAuthentication === 'client_secret_basic';
  const isSent = texts.some(({ text }) => text.includes('{clientSecret}'));
  if (isSent === isBasic)
    fault(
      ['request', 'fields'],
      request.fields,
      isBasic
        ? 'fields without {clientSecret}, which client_secret_basic sends'
        : 'fields with {clientSecret}',
    );
}

function textsIn(
  fields: Readonly<Record<string, RequestField>>,
  path: (string | number)[],
): { path: (string | number)[]; text: string }[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    typeof field === 'string' ? [{ path: [...path, name], text: field }] : textsIn(field, [...path, name]),
  );
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** The JSON Schema of a profile, as published in `config/issuer.schema.json`. */
export function issuerProfileJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(issuerProfile, { io: 'input' }), null, 2)}\n`;
}
