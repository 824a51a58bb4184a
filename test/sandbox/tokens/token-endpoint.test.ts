import { LIVE_TENANT, NEIGHBOUR, PlatformUnderTest, TENANT } from '../platform-under-test';

const TOKEN_PATH = `/staging/mea/auth/oauth2/token/${TENANT.tenantId}`;
const oauthError = (error: string) => ({ error, error_description: expect.any(String) as string });

describe('Endpoints 1: request an access token', () => {
  test.each([
    ['content', 'api/all'],
    ['content', 'api/read'],
    ['content', 'api/write'],
    ['webhooks', 'api/webhooks'],
    ['webhooks', 'api/all'],
  ] as const)(
    'the %s interface grants %s for 3600 seconds, with the fields shown and no others',
    async (of, scope) => {
      const platform = new PlatformUnderTest();

      const answer = await platform.requestToken(TENANT, of, { scope });

      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        access_token: expect.stringMatching(/^[\w-]{43}$/) as string,
        expires_in: 3600,
        token_type: 'Bearer',
      });
    },
  );

  test('answers are not to be stored (RFC 6749, section 5.1)', async () => {
    const platform = new PlatformUnderTest();

    const [granted, refused] = await Promise.all([
      platform.requestToken(),
      platform.requestToken(TENANT, 'content', { client_secret: 'wrong' }),
    ]);

    expect(granted.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('cache-control')).toBe('no-store');
  });

  test('every grant is another token', async () => {
    const platform = new PlatformUnderTest();

    const [first, second] = await Promise.all([platform.bearer(), platform.bearer()]);

    expect(first).not.toEqual(second);
  });
});

describe('Token endpoint errors (RFC 6749, section 5.2)', () => {
  test.each(['scope', 'grant_type', 'client_id', 'client_secret'])(
    'a request without %s is invalid',
    async (field) => {
      const platform = new PlatformUnderTest();

      const answer = await platform.requestToken(TENANT, 'content', { [field]: undefined });

      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        ...oauthError('invalid_request'),
        error_description: expect.stringContaining(field) as string,
      });
    },
  );

  test.each([
    ['a field that is no string', { scope: 7 }, 400, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
    ['an unknown scope', { scope: 'api/admin' }, 400, 'invalid_scope'],
    ['a scope of the other interface', { scope: 'api/webhooks' }, 400, 'invalid_scope'],
    ['two scopes', { scope: 'api/read api/write' }, 400, 'invalid_scope'],
  ])('%s is refused', async (_what, change, status, error) => {
    const platform = new PlatformUnderTest();

    const answer = await platform.requestToken(TENANT, 'content', change);

    expect(answer).toMatchObject({ status, body: oauthError(error) });
  });

  test.each([
    ['malformed JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['JSON that is no object', { json: null }],
    ['a form', { body: 'scope=api%2Fall', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('%s is an invalid request', async (_what, call) => {
    const platform = new PlatformUnderTest();

    const answer = await platform.send('POST', TOKEN_PATH, call);

    expect(answer).toMatchObject({ status: 400, body: oauthError('invalid_request') });
  });

  test.each([
    ['another environment', LIVE_TENANT],
    ['another tenant', NEIGHBOUR],
  ])('a credential of %s is refused', async (_what, owner) => {
    const platform = new PlatformUnderTest();
    const foreign = await platform.issueCredential(owner);

    const answer = await platform.requestToken(TENANT, 'content', foreign);

    expect(answer).toMatchObject({ status: 401, body: oauthError('invalid_client') });
  });

  test('Address placeholders: the endpoint of another environment refuses the pair and its tenant', async () => {
    const platform = new PlatformUnderTest();
    const credential = await platform.issueCredential();

    const answer = await platform.send('POST', `/production/global/auth/oauth2/token/${TENANT.tenantId}`, {
      json: { scope: 'api/all', grant_type: 'client_credentials', ...credential },
    });

    expect(answer).toMatchObject({ status: 401, body: oauthError('invalid_client') });
  });

  test('a tenant that does not exist is refused like a wrong secret', async () => {
    const platform = new PlatformUnderTest();
    const credential = await platform.issueCredential();

    const answer = await platform.send('POST', '/staging/mea/auth/oauth2/token/nobody', {
      json: { scope: 'api/all', grant_type: 'client_credentials', ...credential },
    });

    expect(answer).toMatchObject({ status: 401, body: oauthError('invalid_client') });
  });
});

test('Authentication, common rules 3: two credentials of one tenant are live at once', async () => {
  const platform = new PlatformUnderTest();
  const older = await platform.issueCredential();
  await platform.issueCredential();

  const answer = await platform.requestToken(TENANT, 'webhooks', older);

  expect(answer.status).toBe(200);
});
