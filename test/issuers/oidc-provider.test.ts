import { type IssuerProfile } from '../../core/issuers/issuer-profile';
import { TokenError } from '../../core/tokens/token-errors';
import { HttpsTokenIssuer } from '../../lambdas/shared/adapters/https-token-issuer';
import { systemClock } from '../../lambdas/shared/adapters/system-clock';
import { trustAuthority } from '../support/lambdas/trusted-authority';
import { deploymentOf } from '../support/lambdas/token-functions';
import { type OidcClient, CertifiedProvider } from './support/certified-provider';

const RESOURCE = 'https://api.example.com';
const BASIC: OidcClient = {
  client_id: 'basic',
  client_secret: 'canary+secret/with=special:characters',
  token_endpoint_auth_method: 'client_secret_basic',
  scope: 'read write',
};
const POST: OidcClient = {
  client_id: 'post',
  client_secret: 'canary secret & more',
  token_endpoint_auth_method: 'client_secret_post',
  scope: 'read',
};

let provider: CertifiedProvider;

beforeAll(async () => {
  provider = await CertifiedProvider.start([BASIC, POST]);
  trustAuthority(provider.authorityPem);
});
afterAll(async () => {
  await provider.end();
  jest.restoreAllMocks();
});

/** A profile of a provider, as its pages would have it written. */
const profileOf = (request: IssuerProfile['request']): IssuerProfile => ({
  name: 'provider',
  title: 'Provider',
  parameters: { resource: { description: 'The API.' } },
  tokenEndpoint: { path: '/token' },
  request,
});
const WITH_RESOURCE = { grant_type: 'client_credentials', scope: '{scope}', resource: '{resource}' };

function tokenWith(request: IssuerProfile['request'], client: OidcClient, scope: string) {
  const tokenType = { interface: 'api', scope };
  const deployment = deploymentOf([], {
    profile: profileOf(request),
    platform: { tokenBaseUrl: provider.origin },
    tenants: [
      { tenantId: 'acme', tokens: [tokenType], parameters: { resource: RESOURCE }, adopted: {} },
    ] as never,
  });
  return new HttpsTokenIssuer(deployment, systemClock).requestToken({
    tenantId: 'acme',
    tokenType,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    timeoutMs: 5_000,
  });
}

describe('a certified provider', () => {
  test('accepts a form with the secret in a Basic header, whatever its characters, and scopes and resource', async () => {
    const request = { clientAuthentication: 'client_secret_basic', fields: WITH_RESOURCE } as const;

    const { accessToken, issuedAtMs, expiresAtMs } = await tokenWith(request, BASIC, 'read write');

    expect(await provider.introspect(accessToken, POST)).toMatchObject({
      active: true,
      client_id: 'basic',
      scope: 'read write',
      aud: RESOURCE,
      token_type: 'Bearer',
    });
    expect(expiresAtMs - issuedAtMs).toBe(7_200_000);
  });

  const fields = { ...WITH_RESOURCE, client_id: '{clientId}', client_secret: '{clientSecret}' };
  test.each<[string, IssuerProfile['request'], string]>([
    ['a form with the secret in the body', { fields }, 'read'],
    ['the request of a profile that says nothing of it', undefined, ''],
  ])('accepts %s', async (_, request, scope) => {
    const { accessToken } = await tokenWith(request, POST, scope);

    const found = await provider.introspect(accessToken, POST);
    expect(found).toMatchObject({ active: true, client_id: 'post', ...(scope && { scope }) });
  });

  test.each<[string, Parameters<typeof tokenWith>, string]>([
    [
      'a wrong secret',
      [{ clientAuthentication: 'client_secret_basic' }, { ...BASIC, client_secret: 'canary' }, 'read'],
      'credential_refused',
    ],
    ['a scope that it does not have', [undefined, POST, 'write'], 'scope_refused'],
    ['a body of another form', [{ body: 'json' }, POST, 'read'], 'bad_platform_answer'],
  ])('refuses %s, and the refusal is understood', async (_, [request, client, scope], code) => {
    const failure = await tokenWith(request, client, scope).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(TokenError);
    expect(failure).toMatchObject({ code });
    expect((failure as Error).message).not.toContain('canary');
  });
});
