import {
  answerInstead,
  changeBody,
  changeHeader,
  changeRequest,
  changeRequestBody,
  fieldsOf,
  together,
} from '../fronts/fronts';
import { changeTokenRequest, changeTokenUse } from '../fronts/issued';
import { type Asks, CONTENT, either, pathOf, TOKEN, WEBHOOKS } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

const LIFETIME_SEC = 3600;
const KNOWN_SCOPES: readonly unknown[] = ['api/all', 'api/read', 'api/write', 'api/webhooks'];

const forWebhooks: Asks = (asked) => TOKEN(asked) && pathOf(asked).includes('/webhooks-auth/');

const ANY_SECRET = {
  'gives a token for any client_secret': {
    front: changeTokenRequest(({ body, credential }) => ({
      body: { ...body, client_secret: credential?.clientSecret },
    })),
    alsoFails: ['the secret of one application is not that of another'],
  },
};

const ANY_TENANT = {
  'gives a token to the client of one tenant at the address of another': changeTokenRequest(
    ({ credential }) => ({ tenantId: credential?.tenantId }),
  ),
};

/** Reads a form as if it were JSON. */
const readsForms = (contentType: string): Front =>
  changeRequest(
    (asked) => TOKEN(asked) && asked.headers?.['content-type'] === contentType && !fieldsOf(asked),
    (asked) => ({
      ...asked,
      headers: { ...asked.headers, 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new URLSearchParams(asked.body))),
    }),
  );

/** Accepts each token for so long, whatever the sandbox does. */
const acceptsTokensFor = (lifetimeSec: number, is: Asks): Front =>
  changeTokenUse(is, ({ ageSec, another }, token) => {
    if (ageSec() >= lifetimeSec) return 'expired';
    return ageSec() >= LIFETIME_SEC ? another() : token;
  });

/** Violations that the checks of the token endpoints find. */
export const TOKEN_VIOLATIONS: ViolationTable = {
  'oauth-token-request/row-scope': {
    'gives a token for a scope that it does not know': changeRequestBody(TOKEN, (body) => ({
      ...body,
      scope: KNOWN_SCOPES.includes(body.scope) ? body.scope : 'api/all',
    })),
    'gives no webhooks token for api/all': {
      front: answerInstead((asked) => forWebhooks(asked) && fieldsOf(asked)?.scope === 'api/all', 400),
      alsoFails: [
        'expires_in is 3600 s',
        'token_type is always Bearer',
        'a webhooks token with api/all is accepted by the webhooks interface',
        'a token of the webhooks interface is refused by the content interface',
      ],
    },
  },
  'oauth-token-request/row-grant-type': {
    'gives a token for any grant_type': changeRequestBody(TOKEN, (body) => ({
      ...body,
      grant_type: body.grant_type && 'client_credentials',
    })),
  },
  'oauth-token-request/row-client-id': {
    'gives a token for an unknown client_id with a secret that was issued': changeTokenRequest(
      ({ body, credential }, issued) => {
        const ofSecret = issued.find(({ clientSecret }) => clientSecret === body.client_secret);
        return { body: { ...body, client_id: (credential ?? ofSecret)?.clientId } };
      },
    ),
  },
  'oauth-token-request/row-client-secret': ANY_SECRET,
  'oauth-token-response/row-access-token': {
    'gives tokens in angle brackets': together(
      changeBody(TOKEN, (body) => ({ ...body, access_token: `<${String(body.access_token)}>` })),
      changeHeader(
        () => true,
        'authorization',
        (value) => value?.replace(/^Bearer <(.*)>$/, 'Bearer $1'),
      ),
    ),
  },
  'oauth-token-response/row-expires-in': {
    'answers expires_in as a string': changeBody(TOKEN, (body) => ({
      ...body,
      expires_in: String(body.expires_in),
    })),
  },
  'oauth-token-response/row-token-type': {
    'answers the token_type Webhooks for webhooks tokens': changeBody(forWebhooks, (body) => ({
      ...body,
      token_type: 'Webhooks',
    })),
  },
  'credentials-issued-to-a-customer/row-client-id': {
    'takes the secret of any application for any other': changeTokenRequest(
      ({ body, credential }, issued) => {
        const isIssued = issued.some(({ clientSecret }) => clientSecret === body.client_secret);
        return isIssued ? { body: { ...body, client_secret: credential?.clientSecret } } : {};
      },
    ),
  },
  'credentials-issued-to-a-customer/row-client-secret': ANY_SECRET,
  'credentials-issued-to-a-customer/row-tenant-id': ANY_TENANT,
  'request-an-access-token/bullet-1': ANY_TENANT,
  'request-an-access-token/bullet-2': {
    'takes a token request of any Content-Type': changeHeader(
      TOKEN,
      'content-type',
      () => 'application/json',
    ),
  },
  'request-an-access-token/bullet-3': {
    'takes a form that is sent as application/json': readsForms('application/json'),
    'takes a form that is sent as one': readsForms('application/x-www-form-urlencoded'),
  },
  'request-an-access-token/bullet-4': {
    'answers a token without token_type': {
      front: changeBody(TOKEN, (body) => ({ ...body, token_type: undefined })),
      alsoFails: ['token_type is always Bearer'],
    },
  },
  'oauth-2-0-client-credentials/rule-3': {
    'accepts tokens for half an hour only': acceptsTokensFor(LIFETIME_SEC / 2, either(CONTENT, WEBHOOKS)),
    'accepts expired tokens on the webhooks interface': acceptsTokensFor(Infinity, WEBHOOKS),
  },
  'limits/row-access-token-lifetime': {
    'accepts tokens for two hours': acceptsTokensFor(LIFETIME_SEC * 2, either(CONTENT, WEBHOOKS)),
  },
};
