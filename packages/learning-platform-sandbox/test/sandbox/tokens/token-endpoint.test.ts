import { PlatformUnderTest, TENANT } from '../platform-under-test';

const TOKEN_PATH = `/staging/mea/auth/oauth2/token/${TENANT.tenantId}`;
const oauthError = (error: string) => ({ error, error_description: expect.any(String) as string });

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

describe('Endpoints 1: request an access token', () => {
  test('every request gets a new token', async () => {
    const [first, second] = await Promise.all([platform.bearer(), platform.bearer()]);

    expect(first).not.toEqual(second);
  });
});

describe('Token endpoint errors (RFC 6749, section 5.2)', () => {
  test.each(['scope', 'grant_type', 'client_id', 'client_secret'])(
    'a request without %s is invalid',
    async (field) => {
      const answer = await platform.requestToken(TENANT, 'content', { [field]: undefined });

      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        ...oauthError('invalid_request'),
        error_description: expect.stringContaining(field) as string,
      });
    },
  );

  test.each([
    ['a field that is not a string', { scope: 7 }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
    ['two scopes', { scope: 'api/read api/write' }, 400, 'invalid_scope'],
  ])('%s is refused', async (_what, change, status, error) => {
    const answer = await platform.requestToken(TENANT, 'content', change);

    expect(answer).toMatchObject({ status, body: oauthError(error) });
  });

  test.each([
    ['malformed JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
    ['JSON that is not an object', { json: null }],
  ])('%s is an invalid request', async (_what, call) => {
    const answer = await platform.send('POST', TOKEN_PATH, call);

    expect(answer).toMatchObject({ status: 400, body: oauthError('invalid_request') });
  });

  test('an unknown tenant is refused like a wrong secret', async () => {
    const credential = await platform.issueCredential();

    const answer = await platform.send('POST', '/staging/mea/auth/oauth2/token/nobody', {
      json: { scope: 'api/all', grant_type: 'client_credentials', ...credential },
    });

    expect(answer).toMatchObject({ status: 401, body: oauthError('invalid_client') });
  });
});
