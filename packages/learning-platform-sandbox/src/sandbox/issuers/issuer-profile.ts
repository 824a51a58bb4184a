import { z } from 'zod';
import { placeholdersOf } from './template';

/** A field of a request's body: a text with placeholders, or an object of fields. */
export type RequestField = string | { readonly [name: string]: RequestField };

const REQUEST_PLACEHOLDERS = ['tenantId', 'scope', 'clientId', 'clientSecret'];
const text = z.string().min(1);
/** The path of a value in an answer. A dot leads into an object. */
const answerPath = text.regex(/^[^.]+(\.[^.]+)*$/, 'names, with a dot between them');
const codes = z.array(text).min(1).optional();
const seconds = z.int().min(0);

const pattern = text.refine((source) => {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}, 'a regular expression');
const field: z.ZodType<RequestField> = z.lazy(() =>
  z.union([z.string(), z.record(text, field)], 'a text, or an object of texts'),
);

const fieldsSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9-]{1,64}$/, '1 to 64 lower-case letters, digits and hyphens'),
  title: text,
  interfaces: z.record(text, z.strictObject({ scopes: z.array(text).optional() })).optional(),
  parameters: z
    .record(
      z.string().regex(/^\w+$/),
      z.strictObject({ description: z.string(), pattern: pattern.optional() }),
    )
    .default({}),
  tokenEndpoint: z.strictObject({
    path: text.regex(/^\/[^?#]*$/, 'a path that begins with a slash'),
    // The sandbox serves the endpoint itself.
    bases: z.unknown().optional(),
  }),
  request: z
    .strictObject({
      body: z.enum(['form', 'json']).default('form'),
      clientAuthentication: z
        .enum(['client_secret_post', 'client_secret_basic'])
        .default('client_secret_post'),
      fields: z.record(text, field).optional(),
      headers: z.record(text, text).default({}),
      scopeSeparator: text.default(' '),
      oneScope: z.boolean().default(false),
    })
    .prefault({}),
  answer: z
    .strictObject({
      accessToken: answerPath.default('access_token'),
      tokenType: z.union([answerPath, z.literal(false)]).default('token_type'),
      expiresIn: z.union([answerPath, z.literal(false)]).default('expires_in'),
      lifetimeSec: seconds.min(1).default(3600),
      sameTokenUntilSec: seconds.optional(),
      mayGrantMore: z.boolean().default(false),
    })
    .prefault({}),
  errors: z
    .strictObject({ code: answerPath.default('error'), credentialRefused: codes, scopeRefused: codes })
    .prefault({}),
  // What a deployment can choose, what the issuer offers besides tokens, and where the facts are from.
  environments: z.unknown().optional(),
  regions: z.unknown().optional(),
  offers: z.unknown().optional(),
  sources: z.unknown().optional(),
});
type Fields = z.output<typeof fieldsSchema>;

/**
 * How an issuer wants token requests, and how it answers them.
 * @see RFC 6749, sections 4.4 (client credentials grant), 5.1 and 5.2
 */
export type IssuerProfile = ReturnType<typeof withRequestFields>;

/** Reads the JSON of a profile. */
export const profileSchema = fieldsSchema
  .superRefine((profile, context) => {
    for (const { path, message } of brokenRules(profile)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  })
  .transform(withRequestFields) as z.ZodType<IssuerProfile, object>;

/** Adds the fields of a request's body: by default those of the client credentials grant. */
function withRequestFields({ request, ...profile }: Fields) {
  const isInBody = request.clientAuthentication === 'client_secret_post';
  const fields: Readonly<Record<string, RequestField>> = request.fields ?? {
    grant_type: 'client_credentials',
    scope: '{scope}',
    ...(isInBody && { client_id: '{clientId}', client_secret: '{clientSecret}' }),
  };
  return { ...profile, request: { ...request, fields } };
}

/** The scopes of an issuer; undefined if it accepts all scopes. */
export function scopesOf({ interfaces }: Pick<IssuerProfile, 'interfaces'>): readonly string[] | undefined {
  const scopes = Object.values(interfaces ?? {}).map((each) => each.scopes);
  return scopes.length === 0 || scopes.includes(undefined) ? undefined : scopes.flatMap((each) => each ?? []);
}

interface BrokenRule {
  readonly path: readonly string[];
  readonly message: string;
}

function brokenRules(profile: Fields): BrokenRule[] {
  const { tokenEndpoint, request, parameters } = withRequestFields(profile);
  const allowed = [...REQUEST_PLACEHOLDERS, ...Object.keys(parameters)];
  const texts = [
    { path: ['tokenEndpoint', 'path'], template: tokenEndpoint.path },
    ...Object.entries(request.headers).map(([name, template]) => ({
      path: ['request', 'headers', name],
      template,
    })),
    ...textsOf(request.fields, ['request', 'fields']),
  ];
  const used = texts.flatMap(({ template }) => placeholdersOf(template));
  const broken: BrokenRule[] = texts
    .filter(({ template }) => placeholdersOf(template).some((name) => !allowed.includes(name)))
    .map(({ path }) => ({ path, message: `placeholders ${allowed.map((name) => `{${name}}`).join(', ')}` }));
  const isBasic = request.clientAuthentication === 'client_secret_basic';
  if (!isBasic && !(used.includes('clientId') && used.includes('clientSecret'))) {
    const message = 'fields with {clientId} and {clientSecret}, or client_secret_basic';
    broken.push({ path: ['request', 'fields'], message });
  }
  for (const [name, value] of Object.entries(request.fields)) {
    if (request.body === 'json' || typeof value === 'string') continue;
    broken.push({ path: ['request', 'fields', name], message: 'a text: a form has no objects' });
  }
  return broken;
}

function textsOf(
  fields: Readonly<Record<string, RequestField>>,
  path: readonly string[],
): { path: readonly string[]; template: string }[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [{ path: [...path, name], template: value }]
      : textsOf(value, [...path, name]),
  );
}
