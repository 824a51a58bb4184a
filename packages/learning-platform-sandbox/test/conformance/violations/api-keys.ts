import { controlOf } from '../fronts/control';
import { answerInstead, changeBody, changeHeader, changeRequestBody, type Fields } from '../fronts/fronts';
import { changeSession } from '../fronts/issued';
import { GENERATE_KEY } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

const TIMESTAMP = 'validUntil is an ISO 8601 timestamp in the future';
const PASSWORD = 'a generated key works as the password of Basic authentication';
const MUTATION =
  'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }';

/** A GraphQL answer of the tenant service. */
type Generated = { readonly data?: { readonly generateApiKey?: Fields } | null };

/** Changes the generated key in the answer. */
const changeKey = (change: (key: Fields) => Fields): Front =>
  changeBody<Generated>(GENERATE_KEY, (body) =>
    body.data?.generateApiKey ? { data: { generateApiKey: change(body.data.generateApiKey) } } : body,
  );

/** Violations that the checks of the generation of API keys find. */
export const API_KEY_VIOLATIONS: ViolationTable = {
  'generated-api-key/paragraph-1': {
    'returns generateApiKey without data around it': {
      front: changeBody<Generated>(GENERATE_KEY, (body) => body.data ?? body),
      alsoFails: [TIMESTAMP, PASSWORD],
    },
  },
  'generated-api-key/row-validuntil': {
    'returns validUntil in a format other than ISO 8601': changeKey((key) => ({
      ...key,
      validUntil: new Date(String(key.validUntil)).toUTCString(),
    })),
  },
  'generated-api-key/row-apikey': {
    'returns a key other than the generated one': {
      front: changeKey((key) => ({ ...key, apiKey: 'forgotten' })),
    },
  },
  'common-rules/rule-3': {
    'revokes each key as soon as it is generated': {
      front: changeBody<Generated>(GENERATE_KEY, async (body, asked, sandbox) => {
        const apiKey = body.data?.generateApiKey?.apiKey;
        if (apiKey !== undefined) await controlOf(asked, sandbox)('DELETE', 'api-keys', { apiKey });
        return body;
      }),
    },
  },
  'generate-a-permanent-api-key/bullet-1': {
    'has no POST /tenants': {
      front: answerInstead(GENERATE_KEY, 404),
      alsoFails: [TIMESTAMP, PASSWORD],
    },
  },
  'generate-a-permanent-api-key/bullet-2': {
    'generates a key for a body of any Content-Type': changeHeader(
      GENERATE_KEY,
      'content-type',
      () => 'application/json',
    ),
    'generates a key without a correlation id': changeSession(({ correlationId }, { byAuthorization }) =>
      correlationId === undefined ? byAuthorization : undefined,
    ),
    'generates a key without Authorization': changeSession(({ authorization }, { byCorrelationId }) =>
      authorization === undefined ? byCorrelationId : undefined,
    ),
  },
  'generate-a-permanent-api-key/bullet-3': {
    'accepts an Authorization header without the word Bearer': changeHeader(
      GENERATE_KEY,
      'authorization',
      (value) => value?.replace(/^(Bearer )?/, 'Bearer '),
    ),
  },
  'generate-a-permanent-api-key/bullet-4': {
    'takes the mutation from a field of any name': changeRequestBody(GENERATE_KEY, (body) => ({
      query: Object.values(body)[0],
    })),
    'generates a key whatever the query asks for': changeRequestBody(GENERATE_KEY, ({ query }) => ({
      query: typeof query === 'string' ? MUTATION : query,
    })),
  },
  'generate-a-permanent-api-key/bullet-5': {
    'returns a key without validUntil': {
      front: changeKey((key) => ({ ...key, validUntil: undefined })),
      alsoFails: [TIMESTAMP],
    },
  },
  'what-the-service-does/bullet-4': {
    'does not know tokenType permanent': {
      front: changeRequestBody(GENERATE_KEY, (body) => ({
        ...body,
        query: typeof body.query === 'string' ? body.query.replace('permanent', 'temporary') : body.query,
      })),
      alsoFails: [TIMESTAMP, PASSWORD],
    },
  },
};
