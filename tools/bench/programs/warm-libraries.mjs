/**
 * Other libraries, each as in its own documentation, with a token in the cache.
 * Those with `one` in the name hold a single token, so they save the work of finding the right one.
 */
import { SecretsProvider } from '@aws-lambda-powertools/parameters/secrets';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ConfidentialClientApplication } from '@azure/msal-node';
import { OAuth2Client, OAuth2Fetch } from '@badgateway/oauth2-client';
import middy from '@middy/core';
import secretsManager from '@middy/secrets-manager';
import { createCache } from 'async-cache-dedupe';
import axiosTokenInterceptor from 'axios-token-interceptor';
import { OAuth2Client as GoogleClient } from 'google-auth-library';
import { LRUCache } from 'lru-cache';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import oidcInterceptor from 'undici-oidc-interceptor';

import { END_MS, JWT, REQUESTS, requestOf } from './warm-requests.mjs';

const TOKEN_URL = 'http://127.0.0.1:1/token';
const CREDENTIAL = { clientId: 'id', clientSecret: 'secret' };
const CACHE_SEC = 3_300;
const nameOf = ({ environment, platformRegion, tenantId, interface: platformInterface, scope }) =>
  `${tenantId}|${environment}|${platformRegion}|${platformInterface}|${scope}`;
const NAMES = REQUESTS.map(nameOf);

export async function libraries() {
  return [
    ...(await powertools()),
    ...(await middyHandlers()),
    await asyncCacheDedupe(),
    lruCache(),
    await openidClient(),
    simpleOauth2(),
    await axiosInterceptor(),
    google(),
    await badgateway(),
    undiciInterceptor(),
    await msal(),
  ];
}

async function powertools() {
  const client = new SecretsManagerClient({ region: 'any' });
  client.send = async () => ({ SecretString: JSON.stringify({ accessToken: JWT }) });
  const provider = new SecretsProvider({ awsSdkV3Client: client });
  const options = { maxAge: CACHE_SEC };
  const json = { ...options, transform: 'json' };
  for (const name of NAMES) await provider.get(name, options);
  await provider.get('fixed', json);
  return [
    { name: 'Powertools SecretsProvider.get(fixed name)', run: () => provider.get(NAMES[0], options) },
    { name: "Powertools get(fixed name, transform: 'json')", run: () => provider.get('fixed', json) },
    {
      name: 'Powertools, name built from the 5 fields',
      run: (i) => provider.get(nameOf(requestOf(i)), options),
    },
  ];
}

async function middyHandlers() {
  class Client {
    middlewareStack = { add() {}, use() {} };
    send = async () => ({ SecretString: JSON.stringify({ accessToken: JWT }) });
  }
  const context = () => ({ getRemainingTimeInMillis: () => 3_000, awsRequestId: 'any' });
  const bare = middy({ timeoutEarlyInMillis: 0 }).handler(async () => JWT);
  const withSecret = middy({ timeoutEarlyInMillis: 0 })
    .use(
      secretsManager({
        AwsClient: Client,
        fetchData: { token: 'any' },
        cacheKey: 'any',
        cacheExpiry: CACHE_SEC * 1_000,
        setToContext: true,
      }),
    )
    .handler(async (_event, { token }) => token.accessToken);
  return [
    { name: 'middy, bare handler (to subtract)', run: () => bare({}, context()) },
    { name: 'middy + @middy/secrets-manager', run: () => withSecret({}, context()) },
  ];
}

async function asyncCacheDedupe() {
  const cache = createCache({ ttl: CACHE_SEC, storage: { type: 'memory' } }).define('token', async () => JWT);
  return { name: 'async-cache-dedupe', run: (i) => cache.token(NAMES[i & 63]) };
}

function lruCache() {
  const cache = new LRUCache({ max: 1_000, ttl: CACHE_SEC * 1_000 });
  for (const name of NAMES) cache.set(name, JWT);
  return {
    name: 'lru-cache, key made before (reads no clock)',
    isSync: true,
    run: (i) => cache.get(NAMES[i & 63]),
  };
}

async function openidClient() {
  const configuration = new openid.Configuration(
    { issuer: 'https://idp.example', token_endpoint: 'https://idp.example/token' },
    'id',
    'secret',
  );
  configuration[openid.customFetch] = async () =>
    Response.json({ access_token: JWT, token_type: 'bearer', expires_in: 3_600 });
  const answer = await openid.clientCredentialsGrant(configuration, { scope: 'any' });
  return {
    name: 'openid-client expiresIn() (no cache), one',
    isSync: true,
    run: () => answer.expiresIn() > 300 && answer.access_token,
  };
}

function simpleOauth2() {
  const client = new ClientCredentials({
    client: { id: 'id', secret: 'secret' },
    auth: { tokenHost: TOKEN_URL },
  });
  const token = client.createToken({ access_token: JWT, expires_in: 3_600 });
  return {
    name: 'simple-oauth2 token.expired(300), one',
    isSync: true,
    run: () => !token.expired(300) && token.token.access_token,
  };
}

async function axiosInterceptor() {
  const answer = async () => ({ access_token: JWT, expires_in: 3_600 });
  const get = axiosTokenInterceptor.tokenCache(answer, { getMaxAge: ({ expires_in }) => expires_in * 1_000 });
  await get();
  return { name: 'axios-token-interceptor tokenCache(), one', run: () => get() };
}

function google() {
  const client = new GoogleClient();
  client.setCredentials({ access_token: JWT, expiry_date: END_MS, refresh_token: 'any' });
  return {
    name: 'google-auth-library getAccessToken(), one',
    run: async () => (await client.getAccessToken()).token,
  };
}

async function badgateway() {
  const client = new OAuth2Client({ ...CREDENTIAL, tokenEndpoint: TOKEN_URL });
  const getNewToken = async () => ({ accessToken: JWT, expiresAt: END_MS, refreshToken: null });
  const wrapper = new OAuth2Fetch({ client, getNewToken });
  await wrapper.getAccessToken();
  return { name: '@badgateway/oauth2-client getAccessToken(), one', run: () => wrapper.getAccessToken() };
}

function undiciInterceptor() {
  let authorization;
  const interceptor = oidcInterceptor({
    ...CREDENTIAL,
    idpTokenUrl: TOKEN_URL,
    accessToken: JWT,
    urls: ['http://upstream'],
  });
  const dispatch = interceptor(({ headers }) => {
    authorization = headers.authorization;
    return true;
  });
  const handler = { onRequestStart() {}, onResponseStart() {}, onResponseData() {}, onResponseEnd() {} };
  return {
    name: 'undici-oidc-interceptor, one',
    isSync: true,
    run: () => {
      dispatch({ origin: 'http://upstream', path: '/', method: 'GET', headers: {} }, handler);
      return authorization;
    },
  };
}

async function msal() {
  const authority = 'https://login.microsoftonline.com/11111111-1111-1111-1111-111111111111';
  const application = new ConfidentialClientApplication({
    auth: {
      ...CREDENTIAL,
      authority,
      knownAuthorities: ['login.microsoftonline.com'],
      authorityMetadata: JSON.stringify({
        authorization_endpoint: `${authority}/authorize`,
        token_endpoint: `${authority}/token`,
        issuer: authority,
        jwks_uri: `${authority}/keys`,
      }),
    },
    system: {
      networkClient: {
        sendGetRequestAsync: () => Promise.reject(new Error('nothing is to be fetched')),
        sendPostRequestAsync: async () => ({
          status: 200,
          headers: {},
          body: { token_type: 'Bearer', expires_in: 3_600, access_token: JWT },
        }),
      },
    },
  });
  const request = { scopes: ['any/.default'] };
  await application.acquireTokenByClientCredential(request);
  const { fromCache } = await application.acquireTokenByClientCredential(request);
  if (!fromCache) throw new Error('msal-node did not answer from its cache');
  return {
    name: '@azure/msal-node acquireTokenByClientCredential, one',
    run: async () => (await application.acquireTokenByClientCredential(request)).accessToken,
  };
}
