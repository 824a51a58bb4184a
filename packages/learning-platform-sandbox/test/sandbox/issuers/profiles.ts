/** JSON, with the tenant in the path and a header of its own. */
export const IN_PATH = {
  name: 'in-path',
  title: 'Tenant in the path',
  interfaces: { content: { scopes: ['read', 'write'] } },
  tokenEndpoint: { path: '/oauth2/token/{tenantId}' },
  request: { body: 'json', headers: { 'x-api-version': 'v2.0' } },
};

/**
 * A form with Basic authentication, and the same token until it has expired.
 * @see https://docs.blackboard.com/rest-apis/learn/getting-started/basic-authentication
 */
export const BLACKBOARD = {
  name: 'blackboard-learn',
  title: 'Blackboard Learn',
  tokenEndpoint: { path: '/learn/api/public/v1/oauth2/token' },
  request: { clientAuthentication: 'client_secret_basic', fields: { grant_type: 'client_credentials' } },
  answer: { sameTokenUntilSec: 0 },
};

/** JSON with names of its own. @see https://csod.dev/guides/getting-started/authentication.html */
export const CORNERSTONE = {
  name: 'cornerstone',
  title: 'Cornerstone',
  parameters: { corp: { description: 'Subdomain' } },
  tokenEndpoint: { bases: [{ url: 'https://{corp}.csod.com' }], path: '/services/api/oauth2/token' },
  request: {
    body: 'json',
    fields: {
      clientId: '{clientId}',
      clientSecret: '{clientSecret}',
      grantType: 'client_credentials',
      scope: '{scope}',
    },
  },
};
