import { platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

describe('contents that are added', () => {
  test.each(['archived', 'draft', 'published', 'ready'] as const)('may be %s', async (state) => {
    const platform = new PlatformUnderTest();

    const { status, body } = await platform.control('POST', 'contents', {
      ...TENANT,
      status: state,
      count: 3,
    });

    const { contentIds } = body as { contentIds: string[] };
    expect(status).toBe(201);
    expect(new Set(contentIds).size).toBe(3);
    const answers = await Promise.all(contentIds.map((id) => platform.write('restore', id)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(3).fill(state === 'archived' ? 200 : 409));
  });

  test('are others each time, and gone after a reset', async () => {
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

test('contents that are added have the items that are given, in their order', async () => {
  const platform = new PlatformUnderTest();
  const items = [
    { type: 'quiz', summary: 'Check yourself' },
    { type: 'video', status: 'error', failureReason: 'no sound' },
  ];

  const { body } = await platform.control('POST', 'contents', { ...TENANT, status: 'draft', items });

  const [id] = (body as { contentIds: string[] }).contentIds;
  expect(await stored(platform, id)).toMatchObject({
    status: 'draft',
    items: [
      { rank: 0, ...items[0], status: 'ok' },
      { rank: 1, ...items[1], status: 'error' },
    ],
  });
});

describe('what is stored of a content', () => {
  test('is all of it, at the time of the platform', async () => {
    const platform = new PlatformUnderTest({ processing: { startsAfterSec: 0, takesSec: 60 } });
    const { authorRefs, collaborationIds } = await platform.tenant();
    const [author, owner] = [authorRefs[0], collaborationIds[0]];
    const created = await platform.send('POST', '/staging/mea/rest/v1/contents', {
      json: {
        authorRef: author,
        collaborationId: owner,
        title: 'New',
        items: [{ type: 'link', summary: 'Read' }],
      },
      headers: await platform.bearer(),
    });
    const { id } = created.body as { id: string };
    const before = await stored(platform, id);

    await platform.control('POST', 'clock', { advanceSec: 60 });

    const at = '2026-01-31T12:00:00.000Z';
    const item = { id: expect.any(String) as string, type: 'link', rank: 0, summary: 'Read' };
    const expected = {
      ...{ id, title: 'New', description: '', tags: [], type: 'course', author, owner },
      ...{ createdAt: at, updatedAt: at, deleted: false },
    };
    expect(before).toEqual({ ...expected, status: 'draft', items: [{ ...item, status: 'processing' }] });
    expect(await stored(platform, id)).toEqual({
      ...expected,
      status: 'ready',
      items: [{ ...item, status: 'ok' }],
    });
  });

  test('is still told of a content that was deleted', async () => {
    const platform = new PlatformUnderTest();
    const { authorRefs, archivedContentIds } = await platform.tenant();
    const [id] = archivedContentIds;
    await platform.send('DELETE', `/staging/mea/rest/v1/contents/${id}`, {
      json: { authorRef: authorRefs[0] },
      headers: await platform.bearer(),
    });

    const { contents } = (await platform.control('GET', 'contents/staging/mea/me-south-1_Staging')).body as {
      contents: { id: string; deleted: boolean }[];
    };

    expect(contents).toHaveLength(8);
    expect(contents.filter(({ deleted }) => deleted).map((content) => content.id)).toEqual([id]);
    expect(await stored(platform, id)).toMatchObject({ id, deleted: true });
  });

  test.each([
    ['an unknown cell', 'live/mea/me-south-1_Staging'],
    ['an unknown tenant', 'staging/mea/nobody'],
    ['a tenant of another cell', 'staging/mea/eu-west-2_Live'],
    ['an unknown content', 'staging/mea/me-south-1_Staging/000000000000000000000000'],
  ])('%s is answered with 404', async (_what, path) => {
    const answer = await new PlatformUnderTest().control('GET', `contents/${path}`);

    expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
  });

  test("another tenant's content is not among a tenant's own", async () => {
    const platform = new PlatformUnderTest();
    const [foreign] = (await platform.tenant('me-south-1_Neighbour')).archivedContentIds;

    const answer = await platform.control('GET', `contents/staging/mea/me-south-1_Staging/${foreign}`);

    expect(answer.status).toBe(404);
  });
});

async function stored(platform: PlatformUnderTest, id = ''): Promise<unknown> {
  return (await platform.control('GET', `contents/staging/mea/${TENANT.tenantId}/${id}`)).body;
}
