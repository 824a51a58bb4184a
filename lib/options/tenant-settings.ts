import { z } from 'zod';

import { INTERFACES, SCOPES, TENANT_ID } from '../../core/deployment/platform';
import { accountId, arn } from './arn';
import { organizationIds } from './organization-settings';

/** The allowed form of a tenant id, for error messages. */
export const TENANT_ID_RULE = '1–128 letters, digits, _ and -, starting with a letter or digit';

const tokenEntry = <I extends (typeof INTERFACES)[number]>(name: I) =>
  z
    .strictObject({
      interface: z.literal(name).describe('The platform interface that accepts the token.'),
      scope: z
        .enum(SCOPES[name], { error: `on the ${name} interface ${SCOPES[name].join(', ')}` })
        .describe(
          'Scope of the token. api/all allows everything on the interface; restore needs content api/write.',
        ),
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

/** An entry of `tenants` in a deployment's configuration. */
export const tenant = z.strictObject({
  tenantId: z
    .string()
    .regex(TENANT_ID, { error: TENANT_ID_RULE })
    .describe('Tenant id. It differs between staging and production.'),
  tokens: z
    .array(
      z.discriminatedUnion('interface', [tokenEntry('content'), tokenEntry('webhooks')], {
        error: ({ code }) =>
          code === 'invalid_union'
            ? INTERFACES.join(', ')
            : `an object with interface (${INTERFACES.join(', ')}) and scope`,
      }),
    )
    .min(1, { error: 'at least one token' })
    .describe('Tokens to keep fresh, each in its own secret. Declare only the scopes that you need.'),
  apiKey: z
    .boolean()
    .default(true)
    .describe(
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
      apiKey: adoptedSecret({ apiKey: fieldName('apiKey'), validUntil: fieldName('validUntil') })
        .optional()
        .describe(
          'The secret with the API key and its expiry, of any name: its full ARN, or an object. Default: a new secret.',
        ),
    })
    .default({})
    .describe(
      'Existing credential secrets to use instead of new ones, for example after a stack was destroyed. A secret that Latchkey did not create needs the tag latchkey:kind with the value client-credentials or api-key.',
    ),
});
