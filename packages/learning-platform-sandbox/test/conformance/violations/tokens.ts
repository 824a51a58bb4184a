import {
  answerInstead,
  changeBody,
  changeHeader,
  changeRequest,
  changeRequestBody,
  fieldsOf,
  together,
} from '../fronts/fronts';
import { changeTokenRequest } from '../fronts/issued';
import { type Asks, pathOf, TOKEN } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

const KNOWN_SCOPES: readonly unknown[] = ['api/all', 'api/read', 'api/write', 'api/webhooks'];

const forWebhooks: Asks = (asked) => TOKEN(asked) && pathOf(asked).includes('/webhooks-auth/');

const ANY_SECRET = {
  'issues a token for any client_secret': changeTokenRequest(({ body, credential }) => ({
    body: { ...body, client_secret: credential?.clientSecret },
  })),
};

const ANY_TENANT = {
  'issues a token to the client of one tenant at the address of another': changeTokenRequest(
    ({ credential }) => ({ tenantId: credential?.tenantId }),
  ),
};

/** Accepts a form as if it were JSON. */
const readsForms = (contentType: string): Front =>
  changeRequest(
    (asked) => TOKEN(asked) && asked.headers?.['content-type'] === contentType && !fieldsOf(asked),
    (asked) => ({
      ...asked,
      headers: { ...asked.headers, 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new URLSearchParams(asked.body))),
    }),
  );

/** Violations that the checks of the token endpoints find. */
export const TOKEN_VIOLATIONS: ViolationTable = {
  'oauth-token-request/row-scope': {
    'issues a token for an unknown scope': changeRequestBody(TOKEN, (body) => ({
      ...body,
      scope: KNOWN_SCOPES.includes(body.scope) ? body.scope : 'api/all',
    })),
    'issues no webhooks token for api/all': {
      front: answerInstead((asked) => forWebhooks(asked) && fieldsOf(asked)?.scope === 'api/all', 400),
      alsoFails: [
        'expires_in is 3600 s',
        'token_type is always Bearer',
        'a webhooks token with api/all is accepted by the webhooks interface',
        'the content interface refuses tokens for the webhooks interface',
      ],
    },
  },
  'oauth-token-request/row-grant-type': {
    'issues a token for any grant_type': changeRequestBody(TOKEN, (body) => ({
      ...body,
      grant_type: body.grant_type && 'client_credentials',
    })),
  },
  'oauth-token-request/row-client-id': {
    'issues a token for an unknown client_id with a valid secret': changeTokenRequest(
      ({ body, credential }, issued) => {
        const ofSecret = issued.find(({ clientSecret }) => clientSecret === body.client_secret);
        return { body: { ...body, client_id: (credential ?? ofSecret)?.clientId } };
      },
    ),
  },
  'oauth-token-request/row-client-secret': ANY_SECRET,
  'oauth-token-response/row-access-token': {
    'issues tokens in angle brackets': together(
      changeBody(TOKEN, (body) => ({ ...body, access_token: `<${String(body.access_token)}>` })),
      changeHeader(
        () => true,
        'authorization',
        (value) => value?.replace(/^Bearer <(.*)>$/, 'Bearer $1'),
      ),
    ),
  },
  'oauth-token-response/row-expires-in': {
    'returns expires_in as a string': changeBody(TOKEN, (body) => ({
      ...body,
      expires_in: String(body.expires_in),
    })),
  },
  'oauth-token-response/row-token-type': {
    'returns token_type Webhooks for webhooks tokens': changeBody(forWebhooks, (body) => ({
      ...body,
      token_type: 'Webhooks',
    })),
  },
  'credentials-issued-to-a-customer/row-client-secret': ANY_SECRET,
  'credentials-issued-to-a-customer/row-tenant-id': ANY_TENANT,
  'request-an-access-token/bullet-1': ANY_TENANT,
  'request-an-access-token/bullet-2': {
    'accepts a token request with any Content-Type': changeHeader(
      TOKEN,
      'content-type',
      () => 'application/json',
    ),
  },
  'request-an-access-token/bullet-3': {
    'accepts a form sent as application/json': readsForms('application/json'),
    'accepts a form sent as a form': readsForms('application/x-www-form-urlencoded'),
  },
  'request-an-access-token/bullet-4': {
    'returns a token without token_type': {
      front: changeBody(TOKEN, (body) => ({ ...body, token_type: undefined })),
      alsoFails: ['token_type is always Bearer'],
    },
  },
};
