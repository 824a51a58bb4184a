import { z } from 'zod';

import { TENANT_ID } from '../../core/deployment/platform';
import {
  type IssuerInterface,
  type IssuerParameter,
  type IssuerProfile,
} from '../../core/issuers/issuer-profile';
import { accountId, arn } from './arn';
import { ifOffered } from './issuer-offers';
import { ANY_ISSUER, isLearningPlatform } from './issuers';
import { lowerCaseName } from './issuer-profile-settings';
import { organizationIds } from './organization-settings';

/** The allowed form of a tenant id, for error messages. */
export const TENANT_ID_RULE = '1–128 letters, digits, _ and -, starting with a letter or digit';

/** Scopes with single spaces between (RFC 6749, section 3.3), or none. */
const SCOPES = /^([\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*)?$/;
const SCOPES_RULE = 'scopes with single spaces between';
const PARAMETER_RULE = 'visible ASCII characters';

export function parameterValue({ pattern }: IssuerParameter): z.ZodType<string> {
  const error = pattern === undefined ? PARAMETER_RULE : `a text that matches ${pattern}`;
  return z.string({ error }).regex(new RegExp(`^(?:${pattern ?? '[\\x21-\\x7e]{1,1000}'})$`), { error });
}

/** The option `parameters` of a tenant or token. Absent for an issuer whose profile has none. */
function parametersOf(profile: IssuerProfile): {
  parameters: z.ZodOptional<z.ZodType<Record<string, string>>>;
} {
  const { parameters = {} } = profile;
  const about = 'Values of the profile’s parameters. A token’s values override its tenant’s.';
  if (profile === ANY_ISSUER)
    return { parameters: z.record(z.string(), z.string()).optional().describe(about) };
  const entries = Object.entries(parameters);
  if (entries.length === 0) return {} as never;
  const fields = entries.map(
    ([name, parameter]) =>
      [name, parameterValue(parameter).optional().describe(parameter.description)] as const,
  );
  return {
    parameters: z
      .strictObject(Object.fromEntries(fields) as Record<string, z.ZodType<string>>)
      .optional()
      .describe(about),
  };
}

/** Whether requests name the scope. By default they do. */
function namesScope({ request = {} }: IssuerProfile): boolean {
  return request.fields === undefined || JSON.stringify(request).includes('{scope}');
}

/** The option `scope` of a token. @param scopes those that the interface allows; undefined for any */
export function scopeOf(profile: IssuerProfile, name: string, scopes: readonly string[] | undefined) {
  const { title, request } = profile;
  if (!namesScope(profile)) {
    const error = `nothing: requests to ${title} name no scope`;
    return z.literal('', { error }).default('') as unknown as z.ZodDefault<z.ZodString>;
  }
  if (scopes === undefined) {
    const isOne = request?.oneScope === true;
    const rule = isOne ? 'one scope at most' : SCOPES_RULE;
    return z
      .string({ error: rule })
      .regex(SCOPES, { error: rule })
      .refine((text) => !isOne || !text.includes(' '), { error: rule })
      .default('');
  }
  const error = `on the ${name} interface ${scopes.join(', ')}`;
  if (request?.oneScope === true) return z.enum(scopes as [string, ...string[]], { error });
  const isKnown = (scope: string) => scopes.includes(scope);
  return z.string({ error }).refine((text) => text.split(' ').every(isKnown), { error });
}

function tokenEntry(profile: IssuerProfile, name: z.ZodType<string>, scope: z.ZodType<string>) {
  return z
    .strictObject({
      interface: (name as z.ZodType<string, string>).describe(
        isLearningPlatform(profile)
          ? 'The platform interface that accepts the token.'
          : 'What the token is for: part of the name of its secret.',
      ),
      scope: (scope as z.ZodType<string, string>).describe(
        isLearningPlatform(profile)
          ? 'Scope of the token. api/all allows everything on the interface; restore needs content api/write.'
          : 'Scopes of the token, with spaces between. Default: requested without a scope.',
      ),
      ...parametersOf(profile),
      readerAccounts: z
        .array(accountId)
        .default([])
        .describe(
          'Other AWS accounts that may allow their roles to read this token. With kmsKeyArn, your key policy must allow them to decrypt.',
        ),
      readerOrganizations: organizationIds.describe(
        'The same for all other accounts of these organizations, by aws:PrincipalOrgID.',
      ),
    })
    .describe('A token to keep fresh: one scope of one interface.');
}

function tokenOf(profile: IssuerProfile): ReturnType<typeof tokenEntry> {
  const interfaces = Object.entries(profile.interfaces ?? {});
  const [first, ...others] = interfaces.map(([name, { scopes }]) =>
    tokenEntry(profile, z.literal(name), scopeOf(profile, name, scopes)),
  );
  if (first === undefined)
    return tokenEntry(profile, lowerCaseName.default(ONLY_INTERFACE), scopeOf(profile, '', undefined));
  if (others.length === 0) {
    const [[name, { scopes }]] = interfaces as [[string, IssuerInterface]];
    return tokenEntry(profile, z.literal(name).default(name), scopeOf(profile, name, scopes));
  }
  const names = interfaces.map(([name]) => name).join(', ');
  const union = z.discriminatedUnion('interface', [first, ...others], {
    error: ({ code }) => (code === 'invalid_union' ? names : `an object with interface (${names}) and scope`),
  });
  // Each has the same fields.
  return union as unknown as typeof first;
}

/** The interface of an issuer whose profile names none. */
export const ONLY_INTERFACE = 'api';

const FIELD_NAME_RULE = '1–64 letters, digits, _, . and -, starting with a letter';

/** The name that a secret gives to one of Latchkey's fields. */
const fieldName = (field: string) =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, { error: FIELD_NAME_RULE })
    .default(field)
    .describe(`Name of ${field} in the secret’s JSON object.`);

const credentialSecretArn = arn('secretsmanager', 'secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}');

/** An adopted secret: its ARN, or an object that also says how it differs from a secret of Latchkey. */
const adoptedSecret = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.union(
    [
      credentialSecretArn,
      z.strictObject({
        arn: credentialSecretArn.describe('Full ARN of the secret.'),
        fields: z
          .strictObject(fields)
          .prefault({} as never)
          .describe('Names of the fields in the secret. Latchkey keeps further fields unchanged.'),
        kmsKeyArn: arn('kms', 'key/[A-Za-z0-9-]+')
          .optional()
          .describe('The secret’s key. Default: the deployment’s, or the AWS managed key.'),
      }),
    ],
    { error: 'the full ARN of the secret, or an object with arn and fields' },
  );

export const tenantOf = (profile: IssuerProfile) =>
  z.strictObject({
    tenantId: z
      .string()
      .regex(TENANT_ID, { error: TENANT_ID_RULE })
      .describe('Tenant id. It differs between staging and production.'),
    tokens: z
      .array(tokenOf(profile))
      .min(1, { error: 'at least one token' })
      .describe('Tokens to keep fresh, each in its own secret. Declare only the scopes that you need.'),
    ...parametersOf(profile),
    apiKey: ifOffered(profile, 'api-keys', z.boolean().default(true), false).describe(
      'Whether the tenant has a secret for an API key, which callers of the restore API and your services may use. false: none is created; one that exists leaves the stack with its key, and adopt.apiKey takes it up again.',
    ),
    adopt: z
      .strictObject({
        clientCredentials: adoptedSecret({
          clientId: fieldName('clientId'),
          clientSecret: fieldName('clientSecret'),
        })
          .optional()
          .describe(
            'The secret with the client id and client secret, of any name: its full ARN, or an object. Default: a new secret.',
          ),
        apiKey: ifOffered(
          profile,
          'api-keys',
          adoptedSecret({ apiKey: fieldName('apiKey'), validUntil: fieldName('validUntil') }).optional(),
          undefined,
        ).describe(
          'The secret with the API key and its expiry, of any name: its full ARN, or an object. Default: a new secret.',
        ),
      })
      .default({})
      .describe(
        'Existing credential secrets to use instead of new ones, for example after a stack was destroyed. A secret that Latchkey did not create needs the tag latchkey:kind with the value client-credentials or api-key.',
      ),
  });
