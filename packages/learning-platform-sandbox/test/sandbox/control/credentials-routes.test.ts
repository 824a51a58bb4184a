import { PlatformUnderTest, TENANT } from '../platform-under-test';

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

const statusWith = (token: string) => platform.readWith({ authorization: `Bearer ${token}` });

async function tokenOf(credential: object): Promise<string> {
  const { body } = await platform.requestToken(TENANT, 'content', credential);
  return (body as { access_token: string }).access_token;
}

test('a revoked credential and its tokens stop working; another credential keeps working', async () => {
  const [revoked, other] = [await platform.issueCredential(), await platform.issueCredential()];
  const tokens = [await tokenOf(revoked), await tokenOf(other)];

  const answer = await platform.control('DELETE', 'credentials', { clientId: revoked.client_id });

  expect(answer.status).toBe(204);
  expect(await Promise.all(tokens.map(statusWith))).toEqual([401, 200]);
  expect((await platform.requestToken(TENANT, 'content', revoked)).status).toBe(401);
});

test('a new API key comes with its expiry', async () => {
  const answer = await platform.control('POST', 'api-keys', TENANT);

  expect(answer).toMatchObject({ status: 201, body: { validUntil: '2027-01-31T12:00:00.000Z' } });
});

test('a new session comes with the two headers of a logged-in browser', async () => {
  const answer = await platform.control('POST', 'sessions', TENANT);

  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    authorization: expect.stringMatching(/^Bearer \S{43}$/) as string,
    correlationId: expect.stringMatching(uuid) as string,
  });
});

test('a token for a test works like a requested one, for its scope only', async () => {
  const issued = await platform.control('POST', 'tokens', {
    ...TENANT,
    interface: 'content',
    scope: 'api/write',
  });

  const { accessToken } = issued.body as { accessToken: string };
  const authorization = `Bearer ${accessToken}`;
  const write = await platform.send('POST', '/staging/mea/rest/v1/contents', { headers: { authorization } });
  expect(issued).toMatchObject({ status: 201, body: { expiresAt: '2026-01-31T13:00:00.000Z' } });
  expect([await platform.readWith({ authorization }), write.status]).toEqual([403, 415]);
});

test.each([
  ['an unknown tenant', { tenantId: 'nobody' }, 'tenantId'],
  ['a scope of the other interface', { scope: 'api/webhooks' }, 'scope'],
])('a token for %s gets 400', async (_, wrong, field) => {
  const answer = await platform.control('POST', 'tokens', { ...TENANT, ...wrong });

  expect(answer).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(`^${field}: `) as string },
  });
});

test('a revoked access token stops working; another one of the same credential keeps working', async () => {
  const credential = await platform.issueCredential();
  const tokens = [await tokenOf(credential), await tokenOf(credential)];

  const answer = await platform.control('DELETE', 'tokens', { accessToken: tokens[0] });

  expect(answer.status).toBe(204);
  expect(await Promise.all(tokens.map(statusWith))).toEqual([401, 200]);
});

test('a logged-out user cannot generate keys; another user can', async () => {
  const [ended, other] = [await platform.logIn(), await platform.logIn()];

  const answer = await platform.control('DELETE', 'sessions', { authorization: ended.authorization });

  expect(answer.status).toBe(204);
  expect((await platform.graphql(ended)).status).toBe(401);
  expect((await platform.graphql(other)).status).toBe(200);
});

test.each([
  ['tokens', 'accessToken'],
  ['sessions', 'authorization'],
  ['api-keys', 'apiKey'],
  ['credentials', 'clientId'],
])('revoking something unknown, or no text, is refused without quoting it: %s', async (path, field) => {
  const answers = [
    await platform.control('DELETE', path, { [field]: 'SECRET' }),
    await platform.control('DELETE', path, { [field]: ['SECRET'] }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([404, 400]);
  expect(JSON.stringify(answers)).not.toContain('SECRET');
});
