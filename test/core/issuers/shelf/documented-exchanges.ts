import { type RequestedToken } from '../../../../core/issuers/token-request';

/**
 * What each issuer documents: a request and three answers, with the values of its examples but for the credential; tokens
 * and descriptions of errors are shortened. Written from the pages that the profile names, never from the profile.
 */
export interface DocumentedExchange {
  issuer: string;
  /** Where the profile has several base URLs. */
  where?: { environment?: string; region?: string };
  token: RequestedToken;
  /** A body that is no JSON is a form. */
  request: { url: string; authorization?: string; body: string };
  granted: { body: string; lifeSec: number };
  refusedCredential: { status: number; body: string };
  /** Undefined for an issuer of which no request names a scope. */
  refusedScope?: { status: number; body: string };
}

const TOKEN = { tenantId: 'acme', scope: '', clientId: 'client', clientSecret: 's3cret', parameters: {} };
const BASIC = 'Basic Y2xpZW50OnMzY3JldA==';
const INVALID_CLIENT = '{"error":"invalid_client"}';
const INVALID_SCOPE = '{"error":"invalid_scope"}';

export const DOCUMENTED_EXCHANGES: readonly DocumentedExchange[] = [
  {
    issuer: 'auth0',
    token: {
      ...TOKEN,
      scope: 'read:messages write:messages',
      parameters: { host: 'acme.eu.auth0.com', audience: 'https://api.example.com' },
    },
    request: {
      url: 'https://acme.eu.auth0.com/oauth/token',
      body:
        '{"grant_type":"client_credentials","client_id":"client","client_secret":"s3cret",' +
        '"audience":"https://api.example.com","scope":"read:messages write:messages"}',
    },
    granted: {
      body: '{"access_token":"eyJz93a...k4laUWw","token_type":"Bearer","expires_in":86400}',
      lifeSec: 86_400,
    },
    refusedCredential: { status: 401, body: '{"error":"access_denied","error_description":"Unauthorized"}' },
    refusedScope: {
      status: 403,
      body: '{"error":"access_denied","error_description":"Client has not been granted scopes: write:messages"}',
    },
  },
  {
    issuer: 'blackboard-learn',
    token: { ...TOKEN, parameters: { host: 'learn.example.edu' } },
    request: {
      url: 'https://learn.example.edu/learn/api/public/v1/oauth2/token',
      authorization: BASIC,
      body: 'grant_type=client_credentials',
    },
    granted: {
      body: '{"access_token":"abcdefghijkl","token_type":"bearer","expires_in":3600}',
      lifeSec: 3600,
    },
    refusedCredential: { status: 401, body: INVALID_CLIENT },
  },
  {
    issuer: '360learning',
    where: { region: 'us' },
    token: TOKEN,
    request: {
      url: 'https://app.us.360learning.com/api/v2/oauth2/token',
      body: '{"grant_type":"client_credentials","client_id":"client","client_secret":"s3cret"}',
    },
    granted: { body: '{"token_type":"Bearer","access_token":"your","expires_in":"3600"}', lifeSec: 3600 },
    refusedCredential: { status: 401, body: INVALID_CLIENT },
  },
  {
    issuer: 'degreed',
    where: { environment: 'beta', region: 'us' },
    token: { ...TOKEN, scope: 'users:read content:write' },
    request: {
      url: 'https://betatest.degreed.com/oauth/token',
      body: 'grant_type=client_credentials&client_id=client&client_secret=s3cret&scope=users%3Aread%2Ccontent%3Awrite',
    },
    granted: { body: '{"access_token":"degreed-token","expires_in":1800}', lifeSec: 1800 },
    refusedCredential: { status: 400, body: INVALID_CLIENT },
    refusedScope: { status: 400, body: INVALID_SCOPE },
  },
  {
    issuer: 'cornerstone',
    token: { ...TOKEN, scope: 'training:read employee:read', parameters: { corpname: 'acme-pilot' } },
    request: {
      url: 'https://acme-pilot.csod.com/services/api/oauth2/token',
      body:
        '{"clientId":"client","clientSecret":"s3cret","grantType":"client_credentials",' +
        '"scope":"training:read employee:read"}',
    },
    granted: { body: '{"access_token":"edge_1a2b3c","expires_in":3600}', lifeSec: 3600 },
    refusedCredential: { status: 401, body: INVALID_CLIENT },
    refusedScope: { status: 400, body: INVALID_SCOPE },
  },
  {
    issuer: 'go1',
    token: { ...TOKEN, scope: 'portal.write' },
    request: {
      url: 'https://auth.go1.com/oauth/token',
      body: 'client_id=client&client_secret=s3cret&grant_type=client_credentials&scope=portal.write',
    },
    granted: { body: '{"token_type":"Bearer","expires_in":43200,"access_token":"OAUTH"}', lifeSec: 43_200 },
    refusedCredential: { status: 401, body: INVALID_CLIENT },
    refusedScope: { status: 400, body: INVALID_SCOPE },
  },
  {
    issuer: 'docebo',
    token: { ...TOKEN, parameters: { host: 'acme.docebosaas.com' } },
    request: {
      url: 'https://acme.docebosaas.com/oauth2/token',
      body: 'client_id=client&client_secret=s3cret&grant_type=client_credentials&scope=api',
    },
    granted: {
      body: '{"access_token":"87b567fa3de847fb3adef9492b294bb83f8cd266","expires_in":3600,"token_type":"Bearer","scope":"api"}',
      lifeSec: 3600,
    },
    refusedCredential: { status: 400, body: INVALID_CLIENT },
    refusedScope: { status: 400, body: INVALID_SCOPE },
  },
  {
    issuer: 'linkedin-learning',
    token: TOKEN,
    request: {
      url: 'https://www.linkedin.com/oauth/v2/accessToken',
      body: 'grant_type=client_credentials&client_id=client&client_secret=s3cret',
    },
    granted: { body: '{"access_token":"AQXt...","expires_in":7775999}', lifeSec: 7_775_999 },
    refusedCredential: {
      status: 400,
      body: '{"error":"access_denied","error_description":"This application is not allowed to create application tokens"}',
    },
  },
  {
    issuer: 'sap-successfactors-learning',
    token: {
      ...TOKEN,
      parameters: { host: 'acme.plateau.com', companyId: 'acme', userId: 'cgrant', userType: 'admin' },
    },
    request: {
      url: 'https://acme.plateau.com/learning/oauth-api/rest/v1/token',
      authorization: BASIC,
      body:
        '{"grant_type":"client_credentials","scope":{"userId":"cgrant","companyId":"acme","userType":"admin",' +
        '"resourceType":"learning_public_api"}}',
    },
    granted: { body: '{"access_token":"eyJzaWdu","expires_in":1800,"token_type":"Bearer"}', lifeSec: 1800 },
    refusedCredential: { status: 403, body: '' },
  },
  {
    issuer: 'entra-id',
    token: {
      ...TOKEN,
      tenantId: 'a8990e1f-ff32-408a-9f8e-78d3b9139b95',
      scope: 'https://graph.microsoft.com/.default',
    },
    request: {
      url: 'https://login.microsoftonline.com/a8990e1f-ff32-408a-9f8e-78d3b9139b95/oauth2/v2.0/token',
      body:
        'client_id=client&scope=https%3A%2F%2Fgraph.microsoft.com%2F.default' +
        '&client_secret=s3cret&grant_type=client_credentials',
    },
    granted: {
      body: '{"token_type":"Bearer","expires_in":3599,"access_token":"eyJ0eXAiOiJKV1QiLCJhbGciOi..."}',
      lifeSec: 3599,
    },
    refusedCredential: { status: 401, body: INVALID_CLIENT },
    refusedScope: { status: 400, body: INVALID_SCOPE },
  },
  {
    issuer: 'cognito',
    token: {
      ...TOKEN,
      scope: 'solar-system/read solar-system/write',
      parameters: { domain: 'mydomain.auth.us-east-1.amazoncognito.com' },
    },
    request: {
      url: 'https://mydomain.auth.us-east-1.amazoncognito.com/oauth2/token',
      authorization: BASIC,
      body: 'grant_type=client_credentials&scope=solar-system%2Fread+solar-system%2Fwrite',
    },
    granted: { body: '{"access_token":"eyJz9sdf","token_type":"Bearer","expires_in":3600}', lifeSec: 3600 },
    refusedCredential: { status: 400, body: INVALID_CLIENT },
    refusedScope: { status: 400, body: INVALID_SCOPE },
  },
  {
    issuer: 'salesforce',
    token: { ...TOKEN, parameters: { domain: 'acme.my.salesforce.com' } },
    request: {
      url: 'https://acme.my.salesforce.com/services/oauth2/token',
      body: 'grant_type=client_credentials&client_id=client&client_secret=s3cret',
    },
    granted: {
      body:
        '{"access_token":"00DS7000000oxzo!AR8AQPXAhJNveaXDdPzbrtXq","signature":"nUFHwtfIGLKDTHcLWmDBG8frv0t=",' +
        '"token_format":"opaque","instance_url":"https://acme.my.salesforce.com",' +
        '"id":"https://login.salesforce.com/id/00Dd000000XXXXXXX/005d000000XXXXX","token_type":"Bearer",' +
        '"issued_at":"1700000000000"}',
      // The documented two hours, less the margin for a lifetime that no answer confirms.
      lifeSec: 6600,
    },
    refusedCredential: {
      status: 400,
      body: '{"error":"invalid_client_id","error_description":"client identifier invalid"}',
    },
  },
  {
    issuer: 'paypal',
    where: { environment: 'sandbox' },
    token: TOKEN,
    request: {
      url: 'https://api-m.sandbox.paypal.com/v1/oauth2/token',
      authorization: BASIC,
      body: 'grant_type=client_credentials&ignoreCache=true',
    },
    granted: {
      body:
        '{"scope":"https://uri.paypal.com/services/invoicing openid","access_token":"A21AAFEpH4PsADK7qSS7pSRsgz",' +
        '"token_type":"Bearer","app_id":"APP-80W284485P519543T","expires_in":31349,"nonce":"2020-04-03T15:35:36ZaYZlGvEkV"}',
      lifeSec: 31_349,
    },
    refusedCredential: { status: 401, body: INVALID_CLIENT },
  },
  {
    issuer: 'spotify',
    token: TOKEN,
    request: {
      url: 'https://accounts.spotify.com/api/token',
      authorization: BASIC,
      body: 'grant_type=client_credentials',
    },
    granted: { body: '{"access_token":"BQDjWk","token_type":"Bearer","expires_in":3600}', lifeSec: 3600 },
    refusedCredential: { status: 400, body: INVALID_CLIENT },
  },
];
