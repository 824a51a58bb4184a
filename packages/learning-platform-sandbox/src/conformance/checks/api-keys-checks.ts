import { type Check, must } from '../check';
import { type HttpAnswer } from '../https-requests';
import { basic, expectStatus, expectSuccess, objectOf, readWith } from '../requests';
import { type Session } from '../subject-file';
import { type ExaminedTenant, type WritableTenant } from '../tenant';

const MUTATION =
  'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }';
/** An ISO 8601 date and time with a time zone. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;

/** Checks of API key generation. The specification does not show how refusals look. */
export const API_KEY_CHECKS: readonly Check[] = [
  {
    name: 'the mutation at POST /tenants returns data.generateApiKey with validUntil and apiKey',
    clauses: [
      'generated-api-key/paragraph-1',
      'generate-a-permanent-api-key/bullet-1',
      'generate-a-permanent-api-key/bullet-4',
      'generate-a-permanent-api-key/bullet-5',
      'what-the-service-does/bullet-4',
    ],
    needs: 'write',
    async run(tenant) {
      const { validUntil, apiKey } = await generatedKey(tenant);
      must(validUntil !== undefined && apiKey !== undefined, 'a field of the generated key is missing');
    },
  },
  {
    name: 'validUntil is an ISO 8601 timestamp in the future',
    clauses: ['generated-api-key/row-validuntil'],
    needs: 'write',
    async run(tenant) {
      const { validUntil } = await generatedKey(tenant);
      must(
        typeof validUntil === 'string' && TIMESTAMP.test(validUntil),
        'validUntil is not an ISO 8601 timestamp',
      );
      must(Date.parse(validUntil) > Date.now(), 'validUntil is in the past');
    },
  },
  {
    name: 'a generated key works as the password of Basic authentication',
    clauses: ['generated-api-key/row-apikey', 'common-rules/rule-3'],
    needs: 'write',
    async run(tenant) {
      const { apiKey } = await generatedKey(tenant);
      must(typeof apiKey === 'string', 'apiKey is not a string');
      expectStatus(await readWith(tenant, basic(tenant.tenantId, apiKey)), 200);
    },
  },
  {
    name: 'no key is generated without Authorization',
    clauses: ['generate-a-permanent-api-key/bullet-2'],
    needs: 'write',
    async run(tenant) {
      expectNoKey(await generate(tenant, await tenant.session(), { authorization: undefined }));
    },
  },
  {
    name: 'no key is generated if Authorization lacks the word Bearer',
    clauses: ['generate-a-permanent-api-key/bullet-3'],
    needs: 'write',
    async run(tenant) {
      const session = await tenant.session();
      const authorization = session.authorization.replace(/^Bearer /, '');
      expectNoKey(await generate(tenant, session, { authorization }));
    },
  },
  {
    name: "no key is generated without the session's correlation id",
    clauses: ['generate-a-permanent-api-key/bullet-2', 'generate-a-permanent-api-key/bullet-3'],
    needs: 'write',
    async run(tenant) {
      const session = await tenant.session();
      expectNoKey(await generate(tenant, session, { 'correlation-id': undefined }));
      const foreign = '00000000-0000-4000-8000-000000000000';
      expectNoKey(await generate(tenant, session, { 'correlation-id': foreign }));
    },
  },
  {
    name: 'no key is generated unless Content-Type is application/json',
    clauses: ['generate-a-permanent-api-key/bullet-2'],
    needs: 'write',
    async run(tenant) {
      expectNoKey(await generate(tenant, await tenant.session(), { 'content-type': 'text/plain' }));
    },
  },
  {
    name: 'no key is generated unless the field query holds the mutation',
    clauses: ['generate-a-permanent-api-key/bullet-4'],
    needs: 'write',
    async run(tenant) {
      const session = await tenant.session();
      expectNoKey(await generate(tenant, session, {}, { mutation: MUTATION }));
      expectNoKey(await generate(tenant, session, {}, { query: [MUTATION] }));
      expectNoKey(await generate(tenant, session, {}, { query: 'query { __typename }' }));
    },
  },
];

async function generatedKey(tenant: WritableTenant): Promise<{ validUntil?: unknown; apiKey?: unknown }> {
  const answer = await generate(tenant, await tenant.session());
  expectSuccess(answer);
  const data = memberOf(objectOf(answer), 'data');
  return memberOf(data, 'generateApiKey');
}

function memberOf(object: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const member = object[name];
  must(typeof member === 'object' && member !== null, `the answer has no ${name}`);
  return member as Record<string, unknown>;
}

/** @param change replaces headers; undefined removes a header */
function generate(
  { addresses, send }: ExaminedTenant,
  { authorization, correlationId }: Session,
  change: Record<string, string | undefined> = {},
  body: object = { query: MUTATION },
): Promise<HttpAnswer> {
  const usual = { authorization, 'content-type': 'application/json', 'correlation-id': correlationId };
  const headers = Object.entries({ ...usual, ...change }).filter(
    (header): header is [string, string] => header[1] !== undefined,
  );
  return send({
    method: 'POST',
    url: `${addresses.tenantServiceUrl}/tenants`,
    headers: Object.fromEntries(headers),
    body: JSON.stringify(body),
  });
}

function expectNoKey({ body }: HttpAnswer): void {
  must(!/"apiKey"\s*:\s*"/.test(body), 'a key was generated');
}
