import { type Variant } from '../variant';

const OTHER_APPLICATION = 'the secret of one application is not that of another';
const ANY_SECRET = {
  file: 'sandbox/tokens/client-credentials.ts',
  from: 'hasDigest(clientSecret, credential.secretDigest) &&',
  to: '',
  alsoFails: [OTHER_APPLICATION],
} as const;
const ANY_TENANT = {
  file: 'sandbox/tokens/client-credentials.ts',
  from: 'credential.owner.tenantId === owner.tenantId',
  to: 'owner.tenantId.startsWith(credential.owner.tenantId.slice(0, 4))',
} as const;

/** Variants that break the checks of the token endpoints. */
export const TOKEN_VARIANTS: readonly Variant[] = [
  {
    clause: 'oauth-token-request/row-scope',
    file: 'sandbox/tokens/token-endpoint.ts',
    from: 'requireKnownScope(request.scope, forInterface);',
    to: '',
  },
  {
    clause: 'oauth-token-request/row-scope',
    file: 'sandbox/tokens/token-request.ts',
    from: "webhooks: ['api/webhooks', 'api/all'],",
    to: "webhooks: ['api/webhooks'],",
    alsoFails: [
      'expires_in is 3600 s',
      'token_type is always Bearer',
      'a webhooks token with api/all is accepted by the webhooks interface',
      'a token of the webhooks interface is refused by the content interface',
    ],
  },
  {
    clause: 'oauth-token-request/row-grant-type',
    file: 'sandbox/tokens/token-request.ts',
    from: "parsed.grant_type !== 'client_credentials'",
    to: 'parsed.grant_type === undefined',
  },
  {
    clause: 'oauth-token-request/row-client-id',
    file: 'sandbox/tokens/client-credentials.ts',
    from: 'this.#byClientId.get(clientId);',
    to: 'this.#byClientId.get(clientId) ?? [...this.#byClientId.values()].find(({ secretDigest }) => hasDigest(clientSecret, secretDigest));',
  },
  { clause: 'oauth-token-request/row-client-secret', ...ANY_SECRET },
  {
    clause: 'oauth-token-response/row-access-token',
    file: 'sandbox/tokens/access-tokens.ts',
    from: 'const token = newSecret();',
    to: 'const token = `<${newSecret()}>`;',
  },
  {
    clause: 'oauth-token-response/row-expires-in',
    file: 'sandbox/tokens/token-endpoint.ts',
    from: 'expires_in: ACCESS_TOKEN_LIFETIME_SEC',
    to: 'expires_in: String(ACCESS_TOKEN_LIFETIME_SEC)',
  },
  {
    clause: 'oauth-token-response/row-token-type',
    file: 'sandbox/tokens/token-endpoint.ts',
    from: "token_type: 'Bearer'",
    to: "token_type: forInterface === 'webhooks' ? 'Webhooks' : 'Bearer'",
  },
  {
    clause: 'credentials-issued-to-a-customer/row-client-id',
    file: 'sandbox/tokens/client-credentials.ts',
    from: 'hasDigest(clientSecret, credential.secretDigest) &&',
    to: '[...this.#byClientId.values()].some(({ secretDigest }) => hasDigest(clientSecret, secretDigest)) &&',
  },
  { clause: 'credentials-issued-to-a-customer/row-client-secret', ...ANY_SECRET },
  { clause: 'credentials-issued-to-a-customer/row-tenant-id', ...ANY_TENANT },
  { clause: 'request-an-access-token/bullet-1', ...ANY_TENANT },
  {
    clause: 'request-an-access-token/bullet-2',
    file: 'sandbox/tokens/token-endpoint.ts',
    from: "!isJsonMediaType(c.req.header('content-type'))",
    to: "c.req.header('content-type') === undefined",
  },
  {
    clause: 'request-an-access-token/bullet-3',
    file: 'sandbox/tokens/token-request.ts',
    from: 'JSON.parse(body)',
    to: "body.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body))",
  },
  {
    clause: 'request-an-access-token/bullet-3',
    file: 'sandbox/tokens/token-endpoint.ts',
    from: "if (!isJsonMediaType(c.req.header('content-type'))) {",
    to: `if (c.req.header('content-type') === 'application/x-www-form-urlencoded') {
      c.req.text = async () => JSON.stringify(await c.req.parseBody());
    } else if (!isJsonMediaType(c.req.header('content-type'))) {`,
  },
  {
    clause: 'request-an-access-token/bullet-4',
    file: 'sandbox/tokens/token-endpoint.ts',
    from: "token_type: 'Bearer',",
    to: '',
    alsoFails: ['token_type is always Bearer'],
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-3',
    file: 'sandbox/tokens/access-tokens.ts',
    from: 'nowMs + ACCESS_TOKEN_LIFETIME_SEC * 1000',
    to: 'nowMs + ACCESS_TOKEN_LIFETIME_SEC * 500',
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-3',
    file: 'sandbox/webhooks/webhooks-interface.ts',
    from: 'tokens.find(token, clock.nowMs())',
    to: 'tokens.find(token, 0)',
  },
  {
    clause: 'limits/row-access-token-lifetime',
    file: 'sandbox/tokens/access-tokens.ts',
    from: 'nowMs + ACCESS_TOKEN_LIFETIME_SEC * 1000',
    to: 'nowMs + ACCESS_TOKEN_LIFETIME_SEC * 2000',
  },
];
