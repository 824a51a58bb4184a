import { z } from 'zod';

import { INTERFACES, SCOPES, TENANT_ID } from '../../contract/platform';
import { accountId, arn } from './arn';

/** What a tenant identifier may look like, in the words of an error message. */
export const TENANT_ID_RULE = '1–128 letters, digits, _ and -, starting with a letter or digit';

const tokenEntry = <I extends (typeof INTERFACES)[number]>(name: I) =>
  z.strictObject({
    interface: z.literal(name).describe('The interface of the platform that takes the token.'),
    scope: z
      .enum(SCOPES[name], { error: `on the ${name} interface ${SCOPES[name].join(', ')}` })
      .describe(
        'What the token allows. api/all is everything on the interface; restore takes content api/write.',
      ),
    readerAccounts: z
      .array(accountId)
      .default([])
      .describe(
        'Other AWS accounts whose roles may be given the right to read this token. With kmsKeyArn, your key’s own policy has to let them decrypt.',
      ),
  });

const credentialSecretArn = arn('secretsmanager', 'secret:[A-Za-z0-9/_+=.@-]+-[A-Za-z0-9]{6}');

/** A tenant of a deployment, as configuration has it. */
export const tenant = z.strictObject({
  tenantId: z
    .string()
    .regex(TENANT_ID, { error: TENANT_ID_RULE })
    .describe('Tenant identifier; it differs between staging and production.'),
  tokens: z
    .array(
      z.discriminatedUnion('interface', [tokenEntry('content'), tokenEntry('webhooks')], {
        error: `an object with interface (${INTERFACES.join(', ')}) and scope`,
      }),
    )
    .min(1, { error: 'at least one token' })
    .describe('The tokens to keep fresh, each a secret of its own. Declare the least scopes that you need.'),
  adopt: z
    .strictObject({
      clientCredentials: credentialSecretArn
        .optional()
        .describe('The full ARN of the secret with the client id and secret; where absent, it is created.'),
      apiKey: credentialSecretArn
        .optional()
        .describe('The full ARN of the secret with the API key; where absent, it is created.'),
    })
    .default({})
    .describe(
      'Credential secrets that exist already, for example after a stack was destroyed: used, not created. One that Latchkey did not create needs the tag latchkey:kind, client-credentials or api-key.',
    ),
});
