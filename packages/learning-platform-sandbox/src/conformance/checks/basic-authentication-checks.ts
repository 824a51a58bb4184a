import { isDeepStrictEqual } from 'node:util';
import { type Check, must } from '../check';
import { UNKNOWN_CONTENT_ID } from '../content-writes';
import {
  basic,
  contentRequest,
  expectPermitted,
  expectStatus,
  jsonOf,
  readWith,
  requestedToken,
} from '../requests';

/** @see specification, "HTTP Basic authentication" */
export const BASIC_AUTHENTICATION_CHECKS: readonly Check[] = [
  {
    name: 'the content interface accepts Basic authentication and Bearer tokens',
    clauses: [
      'authentication/paragraph-1',
      'what-the-service-does/bullet-3',
      'http-basic-authentication/bullet-1',
      'oauth-2-0-client-credentials/rule-2',
      'credentials-issued-to-a-customer/row-tenant-id',
    ],
    needs: 'read',
    async run(tenant) {
      expectStatus(await readWith(tenant, basic(tenant.tenantId, await tenant.apiKey())), 200);
      expectStatus(await readWith(tenant, `Bearer ${await tenant.token('api/read')}`), 200);
    },
  },
  {
    name: 'Basic authentication allows writes',
    clauses: ['authentication/paragraph-1'],
    needs: 'write',
    async run(tenant) {
      const authorization = basic(tenant.tenantId, await tenant.apiKey());
      const answer = await contentRequest(tenant, 'POST', `/contents/${UNKNOWN_CONTENT_ID}/publish`, {
        headers: { authorization },
        json: { authorRef: tenant.authorRef },
      });
      expectPermitted(answer);
    },
  },
  {
    name: 'schemes other than Basic and Bearer get 401',
    clauses: ['authentication/paragraph-1'],
    needs: 'read',
    async run(tenant) {
      const token = await tenant.token('api/read');
      for (const authorization of [`Token ${token}`, token, `Digest ${token}`]) {
        expectStatus(await readWith(tenant, authorization), 401);
      }
    },
  },
  {
    name: 'a username other than the tenant identifier gets 401',
    clauses: ['http-basic-authentication/bullet-1', 'credentials-issued-to-a-customer/row-tenant-id'],
    needs: 'read',
    async run(tenant) {
      const apiKey = await tenant.apiKey();
      for (const username of [`${tenant.tenantId}x`, '', tenant.credential.clientId]) {
        expectStatus(await readWith(tenant, basic(username, apiKey)), 401);
      }
    },
  },
  {
    name: 'a password other than the API key gets 401',
    clauses: ['http-basic-authentication/bullet-1'],
    needs: 'read',
    async run(tenant) {
      const token = await tenant.token('api/read');
      for (const password of ['', 'not-a-key', tenant.credential.clientSecret, token]) {
        expectStatus(await readWith(tenant, basic(tenant.tenantId, password)), 401);
      }
    },
  },
  {
    name: 'Basic authentication and a Bearer token show the same contents',
    clauses: ['http-basic-authentication/bullet-3'],
    needs: 'read',
    async run(tenant) {
      const withKey = await readWith(tenant, basic(tenant.tenantId, await tenant.apiKey()));
      const token = await requestedToken(tenant, 'content', 'api/read');
      const withToken = await readWith(tenant, `Bearer ${token}`);
      expectStatus(withToken, 200);
      must(isDeepStrictEqual(jsonOf(withToken), jsonOf(withKey)), 'Basic and Bearer see different contents');
    },
  },
];
