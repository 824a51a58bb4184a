import { controlOf, newKey } from '../fronts/control';
import {
  changeBody,
  changeHeader,
  changeRequestBody,
  type Fields,
  whenAnswered,
  withHeader,
} from '../fronts/fronts';
import { basicIn, changeSession } from '../fronts/issued';
import { BASIC, cellOf, GENERATE_KEY, withPath } from '../fronts/operations';
import { type Front, type Violation } from '../violation';

const VALID_UNTIL = 'a key is valid until validUntil, and then no longer';
const TIMESTAMP = 'validUntil is an ISO 8601 timestamp that lies ahead';
const PASSWORD = 'a generated key is accepted as the password of Basic authentication';
const MUTATION =
  'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }';

/** An answer of the tenant service. */
type Generated = { readonly data?: { readonly generateApiKey?: Fields } | null };

/** Answers another key than was generated. */
const changeKey = (change: (key: Fields) => Fields): Front =>
  changeBody<Generated>(GENERATE_KEY, (body) =>
    body.data?.generateApiKey ? { data: { generateApiKey: change(body.data.generateApiKey) } } : body,
  );

/** Accepts for ever what was accepted once with Basic authentication. */
const keysWithoutEnd: Front = (sandbox) => {
  const accepted = new Set<string>();
  return async (asked) => {
    const answer = await sandbox(asked);
    const { authorization = '' } = asked.headers ?? {};
    if (answer.status !== 401) accepted.add(authorization);
    if (answer.status !== 401 || !BASIC(asked) || !accepted.has(authorization)) return answer;
    const tenant = { ...cellOf(asked), tenantId: basicIn(asked).username };
    return sandbox(withHeader(asked, 'authorization', await newKey(tenant, asked, sandbox)));
  };
};

/** Also a violation of the rule that environments have addresses of their own. */
export const OTHER_ENVIRONMENT_SESSION = {
  violation: 'generates a key for a session of the other environment',
  front: whenAnswered(401, GENERATE_KEY, (asked, sandbox) =>
    sandbox(
      withPath(asked, (path) =>
        path.includes('/live/') ? '/tenant-service/staging/tenants' : '/tenant-service/live/tenants',
      ),
    ),
  ),
} as const;

/** Violations that the checks of the generation of API keys find. */
export const API_KEY_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'generated-api-key/paragraph-1',
    violation: 'answers generateApiKey without data around it',
    front: changeBody<Generated>(GENERATE_KEY, (body) => body.data ?? body),
    alsoFails: [TIMESTAMP, VALID_UNTIL, PASSWORD],
  },
  {
    clause: 'generated-api-key/row-validuntil',
    violation: 'answers validUntil in another form than ISO 8601',
    front: changeKey((key) => ({ ...key, validUntil: new Date(String(key.validUntil)).toUTCString() })),
  },
  {
    clause: 'generated-api-key/row-validuntil',
    violation: 'accepts a key after its validUntil',
    front: keysWithoutEnd,
  },
  {
    clause: 'generated-api-key/row-apikey',
    violation: 'answers another key than the one it generates',
    front: changeKey((key) => ({ ...key, apiKey: 'forgotten' })),
    alsoFails: [VALID_UNTIL],
  },
  {
    clause: 'common-rules/rule-3',
    violation: 'revokes each key as soon as it is generated',
    front: changeBody<Generated>(GENERATE_KEY, async (body, asked, sandbox) => {
      const apiKey = body.data?.generateApiKey?.apiKey;
      if (apiKey !== undefined) await controlOf(asked, sandbox)('DELETE', 'api-keys', { apiKey });
      return body;
    }),
    alsoFails: [VALID_UNTIL],
  },
  { clause: 'generate-a-permanent-api-key/bullet-1', ...OTHER_ENVIRONMENT_SESSION },
  {
    clause: 'generate-a-permanent-api-key/bullet-2',
    violation: 'generates a key for a body of any Content-Type',
    front: changeHeader(GENERATE_KEY, 'content-type', () => 'application/json'),
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-2',
    violation: 'generates a key without a correlation id',
    front: changeSession(({ authorization, correlationId }, opened) =>
      correlationId === undefined
        ? opened.find((session) => session.authorization === authorization)
        : undefined,
    ),
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-2',
    violation: 'generates a key without Authorization',
    front: changeSession(({ authorization, correlationId }, opened) =>
      authorization === undefined
        ? opened.find((session) => session.correlationId === correlationId)
        : undefined,
    ),
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-3',
    violation: 'generates a key for a user who is no administrator',
    front: changeSession(({ authorization }, opened, open) => {
      const session = opened.find((one) => one.authorization === authorization);
      return session?.administrator === false ? open(session) : undefined;
    }),
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-3',
    violation: 'generates a key for a session that has expired',
    front: changeSession(({ authorization }, opened, open) => {
      const session = opened.find((one) => one.authorization === authorization);
      return session?.validForSec === undefined ? undefined : open(session);
    }),
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-3',
    violation: 'takes the Authorization value without the word Bearer',
    front: changeHeader(GENERATE_KEY, 'authorization', (value) => value?.replace(/^(Bearer )?/, 'Bearer ')),
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-4',
    violation: 'takes the mutation from a field of any name',
    front: changeRequestBody(GENERATE_KEY, (body) => ({ query: Object.values(body)[0] })),
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-4',
    violation: 'generates a key whatever the query asks for',
    front: changeRequestBody(GENERATE_KEY, ({ query }) => ({
      query: typeof query === 'string' ? MUTATION : query,
    })),
  },
  {
    clause: 'generate-a-permanent-api-key/bullet-5',
    violation: 'answers a key without validUntil',
    front: changeKey((key) => ({ ...key, validUntil: undefined })),
    alsoFails: [TIMESTAMP, VALID_UNTIL],
  },
  {
    clause: 'what-the-service-does/bullet-4',
    violation: 'knows no tokenType permanent',
    front: changeRequestBody(GENERATE_KEY, (body) => ({
      ...body,
      query: typeof body.query === 'string' ? body.query.replace('permanent', 'temporary') : body.query,
    })),
    alsoFails: [TIMESTAMP, VALID_UNTIL, PASSWORD],
  },
];
