import { NOON_MS, PlatformUnderTest, TENANT } from '../platform-under-test';

describe('reset', () => {
  test('restores contents, clears faults, counters and audit trail, and keeps the time', async () => {
    const platform = new PlatformUnderTest();
    const seeded = await platform.tenant();
    await platform.write('restore', seeded.archivedContentIds[0]);
    await platform.addFault({ target: 'token', status: 500 });
    await platform.control('POST', 'clock', { advanceSec: 60 });

    const answer = await platform.control('POST', 'reset');

    expect(answer.status).toBe(204);
    expect(await platform.tenant()).toEqual(seeded);
    expect((await platform.control('GET', 'counters')).body).toEqual({ requests: [] });
    expect((await platform.control('GET', 'requests')).body).toEqual({ requests: [] });
    expect((await platform.control('GET', 'audit')).body).toEqual({ changes: [] });
    expect((await platform.requestToken()).status).toBe(200);
    expect((await platform.control('GET', 'audit')).headers.get('date')).toBe(
      new Date(NOON_MS + 60_000).toUTCString(),
    );
  });

  test('keeps credentials, tokens, sessions and API keys, so that a running system keeps working', async () => {
    const platform = new PlatformUnderTest();
    const [credential, token, key] = [
      await platform.issueCredential(),
      await platform.bearer('api/read'),
      await platform.basic(),
    ];
    const session = await platform.logIn();

    await platform.control('POST', 'reset');

    const statuses = [
      await platform.requestToken(TENANT, 'content', credential),
      await platform.send('GET', '/staging/mea/rest/v1/contents', { headers: token }),
      await platform.send('GET', '/staging/mea/rest/v1/contents', { headers: key }),
      await platform.graphql(session),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });
});
