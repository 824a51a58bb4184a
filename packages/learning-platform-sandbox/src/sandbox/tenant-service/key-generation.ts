import { z } from '@hono/zod-openapi';
import { buildSchema, type ExecutionResult, executeSync, GraphQLError, parse, validate } from 'graphql';
import { timeSchema } from '../openapi/parts';
import { issueLine } from '../validation';

/** Enough for introspection and many mutations. Also bounds the depth of a document, and so the parser's stack. */
const MAX_TOKENS = 1000;
/** Each error is expensive: graphql counts the lines up to its location. */
const MAX_ERRORS = 10;
const TOKEN_TYPES = ['permanent'];
const SERVICES = ['api-service'];

/** GraphQL requires a query type; the specification shows only the mutation. */
const SCHEMA = buildSchema(`
  type Query {
    "Services that an API key can be for."
    apiKeyServices: [String!]!
  }

  type Mutation {
    "Generates an API key. Requires a site administrator."
    generateApiKey(tokenType: String!, services: [String!]!): GeneratedApiKey!
  }

  type GeneratedApiKey {
    "When the key expires, in ISO 8601."
    validUntil: String!
    apiKey: String!
  }
`);

/** A key as the mutation returns it. @see platform specification, "Generated API key (GraphQL result)" */
const generatedKeySchema = z.strictObject({
  validUntil: timeSchema.describe('When the key expires. ISO 8601, UTC.'),
  apiKey: z.string(),
});
type GeneratedApiKey = z.output<typeof generatedKeySchema>;

export const graphqlResultSchema = z
  .strictObject({
    data: z
      .looseObject({ generateApiKey: generatedKeySchema.optional() })
      .nullish()
      .describe('The requested fields, under the names or aliases in the query.'),
    errors: z
      .array(
        z.strictObject({
          message: z.string(),
          locations: z.array(z.strictObject({ line: z.int(), column: z.int() })).optional(),
          path: z.array(z.union([z.string(), z.int()])).optional(),
        }),
      )
      .min(1)
      .optional(),
  })
  .openapi('GraphqlAnswer');

/**
 * Executes a GraphQL document of the tenant service. Faults are in `errors` of the result. `data` is absent for a document that
 * does not parse or validate, and null if a mutation fails.
 * @param generate called once for each requested key
 * @see platform specification, "2. Generate a permanent API key"; GraphQL specification, October 2021, section 7.1
 */
export function executeDocument(query: string, generate: () => GeneratedApiKey): ExecutionResult {
  try {
    const document = parse(query, { maxTokens: MAX_TOKENS });
    const errors = validate(SCHEMA, document, undefined, { maxErrors: MAX_ERRORS });
    if (errors.length > 0) return { errors };
    return executeSync({ schema: SCHEMA, document, rootValue: rootOf(generate) });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}

function rootOf(generate: () => GeneratedApiKey) {
  return {
    apiKeyServices: SERVICES,
    generateApiKey: ({ tokenType, services }: { tokenType: string; services: readonly string[] }) => {
      if (!TOKEN_TYPES.includes(tokenType)) throw refusedArgument('tokenType', tokenType, TOKEN_TYPES);
      if (services.length === 0 || !services.every((service) => SERVICES.includes(service))) {
        throw refusedArgument('services', services, SERVICES);
      }
      return generate();
    },
  };
}

function refusedArgument(name: string, found: unknown, allowed: readonly string[]): GraphQLError {
  return new GraphQLError(issueLine([name], found, allowed.join(', ')));
}
