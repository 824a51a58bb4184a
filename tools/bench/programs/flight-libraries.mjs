/**
 * Ways to get a token from `TOKEN_URL`, each as in its own documentation. Every function creates a new instance without a
 * token, and returns a function that requests one.
 */
import { SecretsProvider } from '@aws-lambda-powertools/parameters/secrets';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConfidentialClientApplication } from '@azure/msal-node';
import { OAuth2Client, OAuth2Fetch } from '@badgateway/oauth2-client';
import middy from '@middy/core';
import secretsManager from '@middy/secrets-manager';
import { createCache } from 'async-cache-dedupe';
import axios from 'axios';
import { clientCredentials } from 'axios-oauth-client';
import axiosTokenInterceptor from 'axios-token-interceptor';
import { OAuth2Client as GoogleClient } from 'google-auth-library';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { Agent, request } from 'undici';
import oidcInterceptor from 'undici-oidc-interceptor';

const { TOKEN_URL } = process.env;
const ORIGIN = new URL(TOKEN_URL ?? 'http://127.0.0.1').origin;
const CREDENTIAL = { clientId: 'id', clientSecret: 'secret' };
const CACHE_SEC = 3_300;

/** The usual first implementation; also the fetch for libraries without an HTTP client. */
async function requestToken() {
  const answer = await fetch(TOKEN_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"grant_type":"client_credentials"}',
  });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return body;
}
const secretOfToken = async () => ({ SecretString: JSON.stringify(await requestToken()) });

export const LIBRARIES = {
  'promise kept in memory, 8 lines (ideal in one process)': () => {
    let token;
    let flight;
    return async () => {
      if (token !== undefined && token.endMs > Date.now()) return token;
      flight ??= requestToken()
        .then((body) => (token = { ...body, endMs: Date.now() + body.expires_in * 1_000 }))
        .finally(() => (flight = undefined));
      return flight;
    };
  },
  'bare fetch, nothing kept': () => requestToken,
  'simple-oauth2': () => {
    const auth = { tokenHost: ORIGIN, tokenPath: '/token' };
    const client = new ClientCredentials({ client: { id: 'id', secret: 'secret' }, auth });
    let token;
    return async () => {
      if (token === undefined || token.expired(300)) token = await client.getToken({ scope: 'any' });
      return token;
    };
  },
  'openid-client': () => {
    const server = { issuer: ORIGIN, token_endpoint: TOKEN_URL };
    const configuration = new openid.Configuration(server, 'id', 'secret');
    openid.allowInsecureRequests(configuration);
    let token;
    return async () => {
      if (token === undefined || token.expiresIn() < 300) {
        token = await openid.clientCredentialsGrant(configuration, { scope: 'any' });
      }
      return token;
    };
  },
  'axios-oauth-client + axios-token-interceptor': () =>
    axiosTokenInterceptor.tokenCache(clientCredentials(axios.create(), TOKEN_URL, 'id', 'secret'), {
      getMaxAge: ({ expires_in }) => expires_in * 1_000,
    }),
  '@badgateway/oauth2-client': () => {
    const client = new OAuth2Client({ ...CREDENTIAL, tokenEndpoint: TOKEN_URL });
    const wrapper = new OAuth2Fetch({ client, getNewToken: () => client.clientCredentials() });
    return () => wrapper.getAccessToken();
  },
  'google-auth-library (refresh grant)': () => {
    const client = new GoogleClient({ ...CREDENTIAL, endpoints: { oauth2TokenUrl: TOKEN_URL } });
    client.setCredentials({ refresh_token: 'any', expiry_date: 1, access_token: 'over' });
    return () => client.getAccessToken();
  },
  '@azure/msal-node': () => {
    const application = msalApplication();
    return () => application.acquireTokenByClientCredential({ scopes: ['any/.default'] });
  },
  'undici-oidc-interceptor': () => {
    const interceptor = oidcInterceptor({ ...CREDENTIAL, idpTokenUrl: TOKEN_URL, urls: [ORIGIN] });
    const dispatcher = new Agent().compose(interceptor);
    return async () => {
      const { body } = await request(`${ORIGIN}/api`, { dispatcher });
      await body.dump();
    };
  },
  'async-cache-dedupe': () => {
    const cache = createCache({ ttl: CACHE_SEC, storage: { type: 'memory' } }).define('token', requestToken);
    return () => cache.token('any');
  },
  'Powertools parameters (GetSecretValue counted)': () => {
    const client = new SecretsManagerClient({ region: 'any' });
    client.send = secretOfToken;
    const provider = new SecretsProvider({ awsSdkV3Client: client });
    return () => provider.get('token', { maxAge: CACHE_SEC });
  },
  '@middy/secrets-manager (GetSecretValue counted)': () => {
    class Client {
      middlewareStack = { add() {}, use() {} };
      send = secretOfToken;
    }
    const options = {
      AwsClient: Client,
      fetchData: { token: 'token' },
      // Middy's cache belongs to the module, not to the instance.
      cacheKey: `instance-${Math.random()}`,
      cacheExpiry: CACHE_SEC * 1_000,
      disablePrefetch: true,
      setToContext: true,
    };
    const handler = middy({ timeoutEarlyInMillis: 0 })
      .use(secretsManager(options))
      .handler(async (_event, { token }) => token);
    return () => handler({}, { getRemainingTimeInMillis: () => 9_000 });
  },
};

function msalApplication() {
  const authority = 'https://login.microsoftonline.com/11111111-1111-1111-1111-111111111111';
  return new ConfidentialClientApplication({
    auth: {
      // Applications with the same id share their cache.
      clientId: `instance-${Math.random()}`,
      clientSecret: 'secret',
      authority,
      authorityMetadata: JSON.stringify({
        authorization_endpoint: `${authority}/authorize`,
        token_endpoint: `${authority}/token`,
        issuer: authority,
        jwks_uri: `${authority}/keys`,
      }),
      cloudDiscoveryMetadata: JSON.stringify({
        tenant_discovery_endpoint: authority,
        metadata: [
          {
            preferred_network: 'login.microsoftonline.com',
            preferred_cache: 'login.windows.net',
            aliases: ['login.microsoftonline.com'],
          },
        ],
      }),
    },
    system: {
      networkClient: {
        sendGetRequestAsync: () => Promise.reject(new Error('nothing is to be fetched')),
        sendPostRequestAsync: async () => ({ status: 200, headers: {}, body: await requestToken() }),
      },
    },
  });
}
