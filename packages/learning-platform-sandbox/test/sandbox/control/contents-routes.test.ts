import { platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

describe('added contents', () => {
  test('have new ids each time, and are gone after a reset', async () => {
    const platform = new PlatformUnderTest();
    const before = await platform.tenant();
    const added = [
      await platform.control('POST', 'contents', TENANT),
      await platform.control('POST', 'contents', TENANT),
    ];
    const ids = added.flatMap(({ body }) => (body as { contentIds: string[] }).contentIds);

    expect((await platform.tenant()).archivedContentIds).toEqual([...before.archivedContentIds, ...ids]);
    await platform.control('POST', 'reset');
    expect(await platform.tenant()).toEqual(before);
  });
});

describe('stored contents', () => {
  test.each([
    ['an unknown deployment', 'live/mea/me-south-1_Staging'],
    ['an unknown tenant', 'staging/mea/nobody'],
    ['a tenant of another deployment', 'staging/mea/eu-west-2_Live'],
    ['an unknown content', 'staging/mea/me-south-1_Staging/000000000000000000000000'],
  ])('%s gets 404', async (_what, path) => {
    const answer = await new PlatformUnderTest().control('GET', `contents/${path}`);

    expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
  });

  test("a tenant's list does not contain another tenant's content", async () => {
    const platform = new PlatformUnderTest();
    const [foreign] = (await platform.tenant('me-south-1_Neighbor')).archivedContentIds;

    const answer = await platform.control('GET', `contents/staging/mea/me-south-1_Staging/${foreign}`);

    expect(answer.status).toBe(404);
  });
});
