import {
  LIVE_TENANT,
  MUTATION,
  NOON_MS,
  platformError,
  PlatformUnderTest,
  TENANT,
} from '../platform-under-test';

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

describe('Endpoints 2, headers: 401 without a session of this environment and its correlation id', () => {
  test('an unknown session', async () => {
    const { correlationId } = await platform.logIn();

    const answer = await platform.graphql({ authorization: 'Bearer unknown', correlationId });

    expect(answer).toMatchObject({ status: 401, body: platformError(401, 'Unauthorized') });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="tenants"');
  });

  test('a session of the other environment', async () => {
    const answers = [
      await platform.graphql(await platform.logIn(), MUTATION, 'production'),
      await platform.graphql(await platform.logIn(LIVE_TENANT), MUTATION, 'staging'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test('an access token or an API key is not a session', async () => {
    const { correlationId } = await platform.logIn();
    const credentials = [await platform.bearer('api/all'), await platform.basic()];

    const answers = await Promise.all(
      credentials.map((credential) => platform.graphql({ ...credential, correlationId })),
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test.each([
    ['an hour', {}, 3600],
    ['as long as control said', { validForSec: 60 }, 60],
  ])('a session lasts %s', async (_what, options, sec) => {
    let nowMs = NOON_MS;
    platform = new PlatformUnderTest({}, { nowMs: () => nowMs });
    const session = await platform.logIn(TENANT, options);

    nowMs += sec * 1000 - 1;
    const before = await platform.graphql(session);
    nowMs += 1;
    const after = await platform.graphql(session);

    expect([before.status, after.status]).toEqual([200, 401]);
  });

  test('a correlation id in capitals is the same UUID', async () => {
    const session = await platform.logIn();

    const answer = await platform.graphql({ ...session, correlationId: session.correlationId.toUpperCase() });

    expect(answer.status).toBe(200);
  });
});
