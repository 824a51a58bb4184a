import { type Check, must } from '../check';
import { type HttpAnswer } from '../https-requests';
import {
  expectStatus,
  expectSuccess,
  objectOf,
  readWith,
  requestedToken,
  tokenFields,
  tokenRequest,
  tokenUrl,
} from '../requests';
import { type ExaminedTenant, type Interface } from '../tenant';

const SCOPES = {
  content: ['api/all', 'api/read', 'api/write'],
  webhooks: ['api/webhooks', 'api/all'],
} as const satisfies Record<Interface, readonly string[]>;
const FOREIGN_SCOPES = {
  content: ['api/webhooks'],
  webhooks: ['api/read', 'api/write'],
} as const satisfies Record<Interface, readonly string[]>;
const INTERFACES = ['content', 'webhooks'] as const;
/** @see RFC 6750, section 2.1 (b64token) */
const BEARER_CREDENTIAL = /^[A-Za-z0-9._~+/-]+=*$/;
const LIFETIME_SEC = 3600;

export const TOKEN_CHECKS: readonly Check[] = [
  {
    name: 'POST /oauth2/token/:tenantId at each token base issues a token, but not for another identifier',
    clauses: ['request-an-access-token/bullet-1', 'credentials-issued-to-a-customer/row-tenant-id'],
    needs: 'read',
    async run(tenant) {
      const where = { addresses: tenant.addresses, tenantId: `${tenant.tenantId}x` };
      for (const interfaceName of INTERFACES) {
        expectSuccess(await tokenRequest(tenant, interfaceName));
        expectNoToken(await tokenRequest(tenant, interfaceName, {}, where));
      }
    },
  },
  {
    name: 'no token is issued unless Content-Type is application/json',
    clauses: ['request-an-access-token/bullet-2'],
    needs: 'read',
    async run(tenant) {
      for (const interfaceName of INTERFACES)
        expectNoToken(await requestAs(tenant, interfaceName, 'text/plain', JSON.stringify));
    },
  },
  {
    name: 'no token is issued for a form instead of JSON',
    clauses: ['request-an-access-token/bullet-3'],
    needs: 'read',
    async run(tenant) {
      const form = (body: Record<string, string>) => new URLSearchParams(body).toString();
      for (const interfaceName of INTERFACES) {
        for (const contentType of ['application/json', 'application/x-www-form-urlencoded']) {
          expectNoToken(await requestAs(tenant, interfaceName, contentType, form));
        }
      }
    },
  },
  {
    name: 'the token answer is an object with access_token, expires_in and token_type',
    clauses: ['request-an-access-token/bullet-4'],
    needs: 'read',
    async run(tenant) {
      for (const interfaceName of INTERFACES) {
        const answer = objectOf(await tokenRequest(tenant, interfaceName));
        for (const field of ['access_token', 'expires_in', 'token_type']) {
          must(field in answer, `the token response of ${interfaceName} has no ${field}`);
        }
      }
    },
  },
  {
    name: 'expires_in is 3600 s',
    clauses: ['oauth-token-response/row-expires-in'],
    needs: 'read',
    run: (tenant) =>
      forEachScope(async (interfaceName, scope) => {
        const { expires_in: sec } = objectOf(await tokenRequest(tenant, interfaceName, { scope }));
        must(sec === LIFETIME_SEC, `expires_in for ${scope} of ${interfaceName} is not ${LIFETIME_SEC}`);
      }),
  },
  {
    name: 'token_type is always Bearer',
    clauses: ['oauth-token-response/row-token-type'],
    needs: 'read',
    run: (tenant) =>
      forEachScope(async (interfaceName, scope) => {
        const { token_type: type } = objectOf(await tokenRequest(tenant, interfaceName, { scope }));
        must(type === 'Bearer', `token_type for ${scope} of ${interfaceName} is not Bearer`);
      }),
  },
  {
    name: 'access_token has the format of a bearer token, and works as one',
    clauses: ['oauth-token-response/row-access-token'],
    needs: 'read',
    async run(tenant) {
      const token = await requestedToken(tenant, 'content', 'api/read');
      must(BEARER_CREDENTIAL.test(token), 'access_token is not a valid bearer token (RFC 6750)');
      expectStatus(await readWith(tenant, `Bearer ${token}`), 200);
    },
  },
  {
    name: 'each scope of an interface is granted',
    clauses: ['oauth-token-request/row-scope'],
    needs: 'read',
    run: (tenant) =>
      forEachScope(async (interfaceName, scope) =>
        expectSuccess(await tokenRequest(tenant, interfaceName, { scope })),
      ),
  },
  {
    name: 'no token is issued without a scope, or for one that the interface does not have',
    clauses: ['oauth-token-request/row-scope'],
    needs: 'read',
    async run(tenant) {
      for (const interfaceName of INTERFACES) {
        for (const scope of [undefined, '', 'api/everything', 1, ...FOREIGN_SCOPES[interfaceName]]) {
          expectNoToken(await tokenRequest(tenant, interfaceName, { scope }));
        }
      }
    },
  },
  {
    name: 'no token is issued unless grant_type is client_credentials',
    clauses: ['oauth-token-request/row-grant-type'],
    needs: 'read',
    run: (tenant) => expectFieldNeeded(tenant, 'grant_type', ['password', 'CLIENT_CREDENTIALS']),
  },
  {
    name: 'no token is issued without a valid client_id',
    clauses: ['oauth-token-request/row-client-id'],
    needs: 'read',
    run: (tenant) => expectFieldNeeded(tenant, 'client_id', ['not-issued', 1]),
  },
  {
    name: 'no token is issued without a valid client_secret',
    clauses: ['oauth-token-request/row-client-secret', 'credentials-issued-to-a-customer/row-client-secret'],
    needs: 'read',
    run: (tenant) => expectFieldNeeded(tenant, 'client_secret', ['not-issued', 1]),
  },
];

/** Accepts any error: the specification does not show those of token endpoints. */
function expectNoToken(answer: HttpAnswer): void {
  const isSuccess = answer.status >= 200 && answer.status < 300;
  must(!isSuccess && !answer.body.includes('access_token'), 'a token was issued');
}

function requestAs(
  tenant: ExaminedTenant,
  interfaceName: Interface,
  contentType: string,
  write: (body: Record<string, string>) => string,
): Promise<HttpAnswer> {
  const headers = { 'content-type': contentType };
  const body = write(tokenFields(tenant, interfaceName));
  return tenant.send({ method: 'POST', url: tokenUrl(tenant, interfaceName), headers, body });
}

async function expectFieldNeeded(tenant: ExaminedTenant, field: string, wrong: unknown[]): Promise<void> {
  for (const interfaceName of INTERFACES) {
    for (const value of [undefined, '', ...wrong]) {
      expectNoToken(await tokenRequest(tenant, interfaceName, { [field]: value }));
    }
  }
}

async function forEachScope(
  examine: (interfaceName: Interface, scope: string) => Promise<void>,
): Promise<void> {
  for (const interfaceName of INTERFACES)
    for (const scope of SCOPES[interfaceName]) await examine(interfaceName, scope);
}
