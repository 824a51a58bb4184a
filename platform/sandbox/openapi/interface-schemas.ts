import { z } from 'zod';
import { type Interface } from '../deployment-key';
import { actingUserSchema } from '../content/acting-user';
import { ITEM_STATUSES } from '../content/item-schedule';
import { ITEM_TYPES, LIFECYCLE_STATUSES } from '../content/records';
import { type catalogueView, type contentRecord } from '../content/views';
import { authorSchema, creationSchema, updateSchema } from '../content/write-request';
import { type errorBody } from '../errors';
import { type GeneratedApiKey } from '../tenant-service/key-generation';
import { ACCESS_TOKEN_LIFETIME_SEC } from '../tokens/issued-tokens';
import { SCOPES, type TokenRequest, type TokenRequestError } from '../tokens/token-request';
import { type JsonSchema, jsonSchemaOf } from './zod-json-schema';
import { REQUEST_RULES } from './request-rules';

const filled = z.string().min(1);
const time = z.iso.datetime().meta({ description: 'ISO 8601, UTC.' });

/** The platform's error body. */
export const errorSchema = z.strictObject({
  status: z.int(),
  error: z.string().meta({ description: 'Name of the status.' }),
  message: z.string(),
}) satisfies z.ZodType<ReturnType<typeof errorBody>>;

/** @see platform specification, "Item" */
export const itemSchema = z.strictObject({
  id: z.string(),
  type: z.enum(ITEM_TYPES).meta({ description: 'Kind of item. The values are assumed.' }),
  rank: z.int().meta({ description: 'Position within the content, lowest first.' }),
  summary: z.string().meta({ description: 'Short label shown to learners.' }),
  status: z
    .enum(ITEM_STATUSES)
    .meta({ description: 'Processing state; pending and processing are assumed.' }),
  failureReason: z
    .string()
    .optional()
    .meta({ description: 'Why processing failed. Present if status is error. The field name is assumed.' }),
});

const record = z.strictObject({
  id: z.string(),
  status: z.enum(LIFECYCLE_STATUSES),
  items: z.array(itemSchema),
}) satisfies z.ZodType<ReturnType<typeof contentRecord>>;

const catalogue = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  type: z.string(),
  createdAt: time,
  updatedAt: time,
  author: z.string().meta({ description: 'The author reference.' }),
  isOfficial: z.boolean(),
}) satisfies z.ZodType<ReturnType<typeof catalogueView>>;

const tokenError = z.strictObject({
  error: z.enum(['invalid_request', 'unsupported_grant_type', 'invalid_client', 'invalid_scope']),
  error_description: z.string(),
}) satisfies z.ZodType<{ error: TokenRequestError['code'] }>;

const generatedKey = z.strictObject({
  validUntil: time.meta({ description: 'When the key expires. ISO 8601, UTC.' }),
  apiKey: z.string(),
}) satisfies z.ZodType<GeneratedApiKey>;

const graphqlError = z.strictObject({
  message: z.string(),
  locations: z.array(z.strictObject({ line: z.int(), column: z.int() })).optional(),
  path: z.array(z.union([z.string(), z.int()])).optional(),
});

const graphqlAnswer = z.strictObject({
  data: z
    .looseObject({ generateApiKey: generatedKey.optional() })
    .nullish()
    .meta({ description: 'The requested fields, under the names or aliases in the query.' }),
  errors: z.array(graphqlError).min(1).optional(),
});

const answer = (schema: z.ZodType) => jsonSchemaOf(schema, 'output');
const request = (schema: z.ZodType) => jsonSchemaOf(schema, 'input', REQUEST_RULES);

/** The schemas of the interface's bodies. Requests may have other fields, which are ignored. */
export function interfaceSchemas(): Record<string, JsonSchema> {
  return {
    ContentTokenRequest: request(tokenRequest('content')),
    WebhooksTokenRequest: request(tokenRequest('webhooks')),
    Token: answer(
      z.strictObject({
        access_token: z.string(),
        expires_in: z.literal(ACCESS_TOKEN_LIFETIME_SEC),
        token_type: z.literal('Bearer'),
      }),
    ),
    TokenError: answer(tokenError),
    KeyGeneration: request(z.object({ query: z.string().meta({ description: 'A GraphQL document.' }) })),
    GraphqlAnswer: answer(graphqlAnswer),
    Creation: request(creationSchema),
    Update: request(updateSchema),
    Author: request(authorSchema),
    ActingUser: request(actingUserSchema),
    CatalogueView: answer(catalogue),
    ContentRecord: answer(record),
    Error: answer(errorSchema),
  };
}

function tokenRequest(of: Interface) {
  return z.object({
    scope: z.enum(SCOPES[of] as [string, ...string[]]),
    grant_type: z.literal('client_credentials'),
    client_id: filled,
    client_secret: filled,
  }) satisfies z.ZodType<TokenRequest>;
}
