import * as oauth from 'oauth4webapi';
import { NEIGHBOUR, PlatformUnderTest, TENANT } from '../platform-under-test';

const ORIGIN = 'https://platform.example';

const CONTENTS = new URL(`${ORIGIN}/staging/mea/rest/v1/contents`);
const SERVER: oauth.AuthorizationServer = {
  issuer: ORIGIN,
  token_endpoint: `${ORIGIN}/staging/mea/auth/oauth2/token/${TENANT.tenantId}`,
};

interface Credential {
  readonly clientId: string;
  readonly clientSecret: string;
}

let platform: PlatformUnderTest;
let credential: Credential;
const send: typeof fetch = async (input, init) => platform.app.fetch(new Request(input, init));

beforeEach(async () => {
  platform = new PlatformUnderTest();
  credential = (await platform.control('POST', 'credentials', TENANT)).body as Credential;
});

/** Converts the library's form to JSON: the platform's only deviation from the standard. */
const asJson: typeof fetch = (input, init) =>
  send(input, {
    ...init,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(new URLSearchParams(init?.body as URLSearchParams))),
  });

async function grant(scope: string, { clientId, clientSecret } = credential, fetchWith = asJson) {
  const client = { client_id: clientId };
  const answer = await oauth.clientCredentialsGrantRequest(
    SERVER,
    client,
    oauth.ClientSecretPost(clientSecret),
    { scope },
    { [oauth.customFetch]: fetchWith },
  );
  return oauth.processClientCredentialsResponse(SERVER, client, answer);
}

const resource = (token: string, method = 'GET', url = CONTENTS, json?: object) =>
  oauth.protectedResourceRequest(
    token,
    method,
    url,
    new Headers(json && { 'content-type': 'application/json' }),
    json && JSON.stringify(json),
    { [oauth.customFetch]: send },
  );

async function refusalOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('at the token endpoint', () => {
  test('accepts the answer as standard OAuth', async () => {
    const token = await grant('api/read');

    expect(token).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'bearer',
      expires_in: 3600,
    });
  });

  test.each<[string, string, number, () => Promise<unknown>]>([
    [
      'a wrong secret',
      'invalid_client',
      401,
      () => grant('api/read', { ...credential, clientSecret: 'wrong' }),
    ],
    [
      'a credential of another tenant',
      'invalid_client',
      401,
      async () =>
        grant('api/read', (await platform.control('POST', 'credentials', NEIGHBOUR)).body as Credential),
    ],
    ['a scope of webhooks', 'invalid_scope', 400, () => grant('api/webhooks')],
    ['its own form instead of JSON', 'invalid_request', 400, () => grant('api/read', credential, send)],
    ['a password grant', 'unsupported_grant_type', 400, passwordGrant],
  ])('reads the refusal of %s as %s', async (_, error, status, request) => {
    const refusal = await refusalOf(request());

    expect(refusal).toBeInstanceOf(oauth.ResponseBodyError);
    expect(refusal).toMatchObject({ error, status, error_description: expect.any(String) as string });
  });

  async function passwordGrant() {
    const client = { client_id: credential.clientId };
    const answer = await oauth.genericTokenEndpointRequest(
      SERVER,
      client,
      oauth.ClientSecretPost(credential.clientSecret),
      'password',
      { scope: 'api/read' },
      { [oauth.customFetch]: asJson },
    );
    return oauth.processGenericTokenEndpointResponse(SERVER, client, answer);
  }
});

describe('at the content interface', () => {
  test('reads and restores with its token', async () => {
    const { access_token: token } = await grant('api/all');
    const { archivedContentIds, authorRefs } = await platform.tenant();
    const restoreUrl = new URL(`${CONTENTS.href}/${archivedContentIds[0]}/restore`);

    const listed = await resource(token);
    const restored = await resource(token, 'POST', restoreUrl, { authorRef: authorRefs[0] });

    expect(listed.status).toBe(200);
    expect(await restored.json()).toMatchObject({ id: archivedContentIds[0], status: 'published' });
  });

  test('understands the challenges to an invalid token', async () => {
    const refusal = await refusalOf(resource('unknown'));

    expect(refusal).toBeInstanceOf(oauth.WWWAuthenticateChallengeError);
    expect(refusal).toMatchObject({
      status: 401,
      cause: [
        { scheme: 'bearer', parameters: { realm: 'content', error: 'invalid_token' } },
        { scheme: 'basic', parameters: { realm: 'content', charset: 'UTF-8' } },
      ],
    });
  });

  test('understands the challenge to an insufficient scope', async () => {
    const { access_token: token } = await grant('api/read');

    const refusal = await refusalOf(resource(token, 'POST', CONTENTS, {}));

    expect(refusal).toMatchObject({
      status: 403,
      cause: [{ scheme: 'bearer', parameters: { error: 'insufficient_scope', scope: 'api/write' } }],
    });
  });
});
