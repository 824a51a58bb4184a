import { type Check, must } from '../check';
import { type HttpAnswer } from '../https-requests';
import { basic, expectStatus, expectSuccess, objectOf, readWith } from '../requests';
import { type ControlledTenant, type ExaminedTenant, type Session, type WritableTenant } from '../tenant';

const MUTATION =
  'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }';
/** @see ISO 8601: date and time with the time zone, as nothing else names one moment */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const HOUR_SEC = 60 * 60;
const TEN_YEARS_SEC = 10 * 365 * 24 * HOUR_SEC;
/** Less than the end of a life, and more than an examination takes. */
const MARGIN_SEC = 30;

/** The generation of permanent API keys by the tenant service. What an answer to a refusal looks like is not shown. */
export const API_KEY_CHECKS: readonly Check[] = [
  {
    name: 'the mutation at POST /tenants answers data.generateApiKey with validUntil and apiKey',
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
    name: 'validUntil is an ISO 8601 timestamp that lies ahead',
    clauses: ['generated-api-key/row-validuntil'],
    needs: 'write',
    async run(tenant) {
      const { validUntil } = await generatedKey(tenant);
      must(typeof validUntil === 'string' && TIMESTAMP.test(validUntil), 'validUntil is no timestamp');
      must(Date.parse(validUntil) > Date.now(), 'validUntil lies in the past');
    },
  },
  {
    name: 'a key is valid until validUntil, and then no longer',
    clauses: ['generated-api-key/row-validuntil'],
    needs: 'control',
    async run(tenant) {
      const { validUntil, apiKey } = await generatedKey(tenant);
      const { now } = await tenant.control<{ now: string }>('POST', 'clock', { advanceSec: 0 });
      const lifeSec = (Date.parse(String(validUntil)) - Date.parse(now)) / 1000;
      must(lifeSec > MARGIN_SEC && lifeSec < TEN_YEARS_SEC, 'the life of a key is not within ten years');
      const authorization = basic(tenant.tenantId, String(apiKey));
      await tenant.control('POST', 'clock', { advanceSec: lifeSec - MARGIN_SEC });
      expectStatus(await readWith(tenant, authorization), 200);
      await tenant.control('POST', 'clock', { advanceSec: MARGIN_SEC + 1 });
      expectStatus(await readWith(tenant, authorization), 401);
    },
  },
  {
    name: 'a generated key is accepted as the password of Basic authentication',
    clauses: ['generated-api-key/row-apikey', 'common-rules/rule-3'],
    needs: 'write',
    async run(tenant) {
      const { apiKey } = await generatedKey(tenant);
      must(typeof apiKey === 'string', 'apiKey is not a string');
      expectStatus(await readWith(tenant, basic(tenant.tenantId, apiKey)), 200);
    },
  },
  {
    name: 'the tenant service of one environment does not know the sessions of the other',
    clauses: ['generate-a-permanent-api-key/bullet-1', 'address-placeholders/paragraph-1'],
    needs: 'control',
    async run(tenant) {
      const environment = tenant.environment === 'staging' ? 'production' : 'staging';
      const other = await tenant.inDeployment({ environment, platformRegion: tenant.platformRegion });
      expectNoKey(await generate(other, await tenant.session()));
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
    name: 'no key is generated for the Authorization value without the word Bearer',
    clauses: ['generate-a-permanent-api-key/bullet-3'],
    needs: 'write',
    async run(tenant) {
      const session = await tenant.session();
      const authorization = session.authorization.replace(/^Bearer /, '');
      expectNoKey(await generate(tenant, session, { authorization }));
    },
  },
  {
    name: 'no key is generated without the correlation id of the session',
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
    name: 'no key is generated for a body that is not sent as application/json',
    clauses: ['generate-a-permanent-api-key/bullet-2'],
    needs: 'write',
    async run(tenant) {
      expectNoKey(await generate(tenant, await tenant.session(), { 'content-type': 'text/plain' }));
    },
  },
  {
    name: 'no key is generated for a user who is not a site administrator',
    clauses: ['generate-a-permanent-api-key/bullet-3'],
    needs: 'control',
    async run(tenant) {
      const session = await sessionWith(tenant, { administrator: false });
      expectNoKey(await generate(tenant, session));
    },
  },
  {
    name: 'the values of a session are temporary',
    clauses: ['generate-a-permanent-api-key/bullet-3'],
    needs: 'control',
    async run(tenant) {
      const session = await sessionWith(tenant, { validForSec: HOUR_SEC });
      await tenant.control('POST', 'clock', { advanceSec: HOUR_SEC });
      expectNoKey(await generate(tenant, session));
    },
  },
  {
    name: 'no key is generated for a query under another name, or for one that is not the mutation',
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

/** @param change replaces headers; those that are undefined are left out */
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

function sessionWith(tenant: ControlledTenant, options: object): Promise<Session> {
  const { environment, platformRegion, tenantId } = tenant;
  return tenant.control('POST', 'sessions', { environment, platformRegion, tenantId, ...options });
}
