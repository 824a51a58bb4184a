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
import { type Front, type Violation } from '../violation';

const OTHER_APPLICATION = 'the secret of one application is not that of another';
const LIFETIME_SEC = 3600;
const KNOWN_SCOPES: readonly unknown[] = ['api/all', 'api/read', 'api/write', 'api/webhooks'];

const forWebhooks: Asks = (asked) => TOKEN(asked) && pathOf(asked).includes('/webhooks-auth/');

const ANY_SECRET = {
  violation: 'gives a token for any client_secret',
  front: changeTokenRequest(({ body }, issued) => {
    const credential = issued.find(({ clientId }) => clientId === body.client_id);
    return { body: { ...body, client_secret: credential?.clientSecret } };
  }),
  alsoFails: [OTHER_APPLICATION],
};

const ANY_TENANT = {
  violation: 'gives a token to the client of one tenant at the address of another',
  front: changeTokenRequest(({ body }, issued) => ({
    tenantId: issued.find(({ clientId }) => clientId === body.client_id)?.tenantId,
  })),
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
export const TOKEN_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'oauth-token-request/row-scope',
    violation: 'gives a token for a scope that it does not know',
    front: changeRequestBody(TOKEN, (body) => ({
      ...body,
      scope: KNOWN_SCOPES.includes(body.scope) ? body.scope : 'api/all',
    })),
  },
  {
    clause: 'oauth-token-request/row-scope',
    violation: 'gives no webhooks token for api/all',
    front: answerInstead((asked) => forWebhooks(asked) && fieldsOf(asked)?.scope === 'api/all', 400),
    alsoFails: [
      'expires_in is 3600 s',
      'token_type is always Bearer',
      'a webhooks token with api/all is accepted by the webhooks interface',
      'a token of the webhooks interface is refused by the content interface',
    ],
  },
  {
    clause: 'oauth-token-request/row-grant-type',
    violation: 'gives a token for any grant_type',
    front: changeRequestBody(TOKEN, (body) => ({
      ...body,
      grant_type: body.grant_type && 'client_credentials',
    })),
  },
  {
    clause: 'oauth-token-request/row-client-id',
    violation: 'gives a token for an unknown client_id with a secret that was issued',
    front: changeTokenRequest(({ body }, issued) => {
      const isKnown = issued.some(({ clientId }) => clientId === body.client_id);
      const ofSecret = issued.find(({ clientSecret }) => clientSecret === body.client_secret);
      return { body: { ...body, client_id: isKnown ? body.client_id : ofSecret?.clientId } };
    }),
  },
  { clause: 'oauth-token-request/row-client-secret', ...ANY_SECRET },
  {
    clause: 'oauth-token-response/row-access-token',
    violation: 'gives tokens in angle brackets',
    front: together(
      changeBody(TOKEN, (body) => ({ ...body, access_token: `<${String(body.access_token)}>` })),
      changeHeader(
        () => true,
        'authorization',
        (value) => value?.replace(/^Bearer <(.*)>$/, 'Bearer $1'),
      ),
    ),
  },
  {
    clause: 'oauth-token-response/row-expires-in',
    violation: 'answers expires_in as a string',
    front: changeBody(TOKEN, (body) => ({ ...body, expires_in: String(body.expires_in) })),
  },
  {
    clause: 'oauth-token-response/row-token-type',
    violation: 'answers the token_type Webhooks for webhooks tokens',
    front: changeBody(forWebhooks, (body) => ({ ...body, token_type: 'Webhooks' })),
  },
  {
    clause: 'credentials-issued-to-a-customer/row-client-id',
    violation: 'takes the secret of any application for any other',
    front: changeTokenRequest(({ body }, issued) => {
      const isIssued = issued.some(({ clientSecret }) => clientSecret === body.client_secret);
      const own = issued.find(({ clientId }) => clientId === body.client_id);
      return { body: { ...body, client_secret: isIssued && own ? own.clientSecret : body.client_secret } };
    }),
  },
  { clause: 'credentials-issued-to-a-customer/row-client-secret', ...ANY_SECRET },
  { clause: 'credentials-issued-to-a-customer/row-tenant-id', ...ANY_TENANT },
  { clause: 'request-an-access-token/bullet-1', ...ANY_TENANT },
  {
    clause: 'request-an-access-token/bullet-2',
    violation: 'takes a token request of any Content-Type',
    front: changeHeader(TOKEN, 'content-type', () => 'application/json'),
  },
  {
    clause: 'request-an-access-token/bullet-3',
    violation: 'takes a form that is sent as application/json',
    front: readsForms('application/json'),
  },
  {
    clause: 'request-an-access-token/bullet-3',
    violation: 'takes a form that is sent as one',
    front: readsForms('application/x-www-form-urlencoded'),
  },
  {
    clause: 'request-an-access-token/bullet-4',
    violation: 'answers a token without token_type',
    front: changeBody(TOKEN, (body) => ({ ...body, token_type: undefined })),
    alsoFails: ['token_type is always Bearer'],
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-3',
    violation: 'accepts tokens for half an hour only',
    front: acceptsTokensFor(LIFETIME_SEC / 2, either(CONTENT, WEBHOOKS)),
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-3',
    violation: 'accepts expired tokens on the webhooks interface',
    front: acceptsTokensFor(Infinity, WEBHOOKS),
  },
  {
    clause: 'limits/row-access-token-lifetime',
    violation: 'accepts tokens for two hours',
    front: acceptsTokensFor(LIFETIME_SEC * 2, either(CONTENT, WEBHOOKS)),
  },
];
