import { type Check, must } from '../check';
import { type HttpAnswer } from '../https-requests';
import { basic, expectStatus, expectSuccess, objectOf, readWith } from '../requests';
import { type ControlledTenant, type ExaminedTenant, type Session, type WritableTenant } from '../tenant';

const MUTATION =
  'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }';
/** An ISO 8601 date and time with a time zone. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/;
const HOUR_SEC = 60 * 60;
const TEN_YEARS_SEC = 10 * 365 * 24 * HOUR_SEC;
/** Longer than a check takes, and short compared with a key's validity. */
const MARGIN_SEC = 30;

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
    name: 'a key expires at validUntil',
    clauses: ['generated-api-key/row-validuntil'],
    needs: 'control',
    async run(tenant) {
      const { validUntil, apiKey } = await generatedKey(tenant);
      const { now } = await tenant.control<{ now: string }>('POST', 'clock', { advanceSec: 0 });
      const lifeSec = (Date.parse(String(validUntil)) - Date.parse(now)) / 1000;
      must(
        lifeSec > MARGIN_SEC && lifeSec < TEN_YEARS_SEC,
        'the key expires too soon, or in more than ten years',
      );
      const authorization = basic(tenant.tenantId, String(apiKey));
      await tenant.control('POST', 'clock', { advanceSec: lifeSec - MARGIN_SEC });
      expectStatus(await readWith(tenant, authorization), 200);
      await tenant.control('POST', 'clock', { advanceSec: MARGIN_SEC + 1 });
      expectStatus(await readWith(tenant, authorization), 401);
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
    name: 'the tenant service of one environment refuses sessions of the other',
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
    name: 'no key is generated for a user who is not a site administrator',
    clauses: ['generate-a-permanent-api-key/bullet-3'],
    needs: 'control',
    async run(tenant) {
      const session = await sessionWith(tenant, { administrator: false });
      expectNoKey(await generate(tenant, session));
    },
  },
  {
    name: 'a session expires',
    clauses: ['generate-a-permanent-api-key/bullet-3'],
    needs: 'control',
    async run(tenant) {
      const session = await sessionWith(tenant, { validForSec: HOUR_SEC });
      await tenant.control('POST', 'clock', { advanceSec: HOUR_SEC });
      expectNoKey(await generate(tenant, session));
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

function sessionWith(tenant: ControlledTenant, options: object): Promise<Session> {
  const { environment, platformRegion, tenantId } = tenant;
  return tenant.control('POST', 'sessions', { environment, platformRegion, tenantId, ...options });
}
