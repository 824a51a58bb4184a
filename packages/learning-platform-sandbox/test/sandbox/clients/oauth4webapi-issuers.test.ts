import * as oauth from 'oauth4webapi';
import { PlatformUnderTest } from '../platform-under-test';

const ORIGIN = 'https://platform.example';

/** All that the standard leaves open is as the library has it. */
const PROFILE = {
  name: 'standard',
  title: 'Standard OAuth',
  interfaces: { all: { scopes: ['read', 'write'] } },
  tokenEndpoint: { path: '/token' },
};
const BASIC = { ...PROFILE, name: 'basic', request: { clientAuthentication: 'client_secret_basic' } };
/** Every kind of character that form-encoding changes. */
const CREDENTIAL = { clientId: 'acme: client/1', clientSecret: 's+cr%t &=~*"\\' };

let platform: PlatformUnderTest;
const send: typeof fetch = async (input, init) => platform.app.fetch(new Request(input, init));
beforeEach(async () => {
  const tenants = [{ tenantId: 'acme' }];
  platform = new PlatformUnderTest({ issuers: [PROFILE, BASIC].map((profile) => ({ profile, tenants })) });
  for (const { name } of [PROFILE, BASIC]) {
    await platform.control('POST', `issuers/${name}/credentials`, { tenantId: 'acme', ...CREDENTIAL });
  }
});

async function grant(name: string, authentication: oauth.ClientAuth, scope?: string) {
  const server = { issuer: ORIGIN, token_endpoint: `${ORIGIN}/issuers/${name}/token` };
  const client = { client_id: CREDENTIAL.clientId };
  const parameters = new URLSearchParams(scope === undefined ? {} : { scope });
  const answer = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, {
    [oauth.customFetch]: send,
  });
  return oauth.processClientCredentialsResponse(server, client, answer);
}

const whoami = (name: string, token: string) =>
  oauth.protectedResourceRequest(
    token,
    'GET',
    new URL(`${ORIGIN}/issuers/${name}/whoami`),
    undefined,
    undefined,
    { [oauth.customFetch]: send },
  );

describe.each<[string, string, (secret: string) => oauth.ClientAuth]>([
  ['client_secret_post', 'standard', oauth.ClientSecretPost],
  ['client_secret_basic', 'basic', oauth.ClientSecretBasic],
])('with %s', (_, name, authentication) => {
  test('accepts the answer as standard OAuth, and its token', async () => {
    const token = await grant(name, authentication(CREDENTIAL.clientSecret), 'read write');
    const seen = await whoami(name, token.access_token);

    expect(token).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'bearer',
      expires_in: 3600,
    });
    expect(await seen.json()).toMatchObject({
      tenantId: 'acme',
      clientId: CREDENTIAL.clientId,
      scopes: ['read', 'write'],
    });
  });

  test('gets a token without a scope', async () => {
    const token = await grant(name, authentication(CREDENTIAL.clientSecret));

    expect(await (await whoami(name, token.access_token)).json()).toMatchObject({ scopes: [] });
  });

  test('understands the refusal of a scope, and of a token', async () => {
    const scope = grant(name, authentication(CREDENTIAL.clientSecret), 'delete');
    const token = whoami(name, 'unknown');

    await expect(scope).rejects.toMatchObject({ error: 'invalid_scope', status: 400 });
    await expect(token).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'bearer', parameters: { realm: name, error: 'invalid_token' } }],
    });
  });
});

test('understands the refusal of a secret in the body', async () => {
  const refusal = grant('standard', oauth.ClientSecretPost('wrong'));

  await expect(refusal).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
});

test('understands the challenge to a secret in the header', async () => {
  const refusal = grant('basic', oauth.ClientSecretBasic('wrong'));

  await expect(refusal).rejects.toMatchObject({
    status: 401,
    cause: [{ scheme: 'basic', parameters: { realm: 'basic' } }],
  });
});
