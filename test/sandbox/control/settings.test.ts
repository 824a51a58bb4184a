import { PlatformUnderTest, TENANT } from '../platform-under-test';

const CONTENTS = '/staging/mea/rest/v1/contents';

/** Creates a content with one item of each type. */
async function create(platform: PlatformUnderTest, ...types: string[]): Promise<string> {
  const { authorRefs } = await platform.tenant();
  const { body } = await platform.send('POST', CONTENTS, {
    json: {
      authorRef: authorRefs[0],
      title: 'New',
      items: types.map((type) => ({ type, summary: 'Part' })),
    },
    headers: await platform.bearer(),
  });
  return (body as { id: string }).id;
}

async function stored(platform: PlatformUnderTest, id: string) {
  const { body } = await platform.control('GET', `contents/staging/mea/${TENANT.tenantId}/${id}`);
  return body as { status: string; items: { status: string; failureReason?: string }[] };
}

describe('processing', () => {
  test('has the timing of the seed, or 5 and 30 seconds', async () => {
    const [seeded, other] = [new PlatformUnderTest({ processing: { takesSec: 1 } }), new PlatformUnderTest()];

    const timings = [await seeded.control('GET', 'processing'), await other.control('GET', 'processing')];

    expect(timings.map(({ body }) => body)).toEqual([
      { startsAfterSec: 5, takesSec: 1 },
      { startsAfterSec: 5, takesSec: 30 },
    ]);
  });

  test('takes as long as was set, for contents that come from then on, until a reset', async () => {
    const platform = new PlatformUnderTest();

    const answer = await platform.control('POST', 'processing', { startsAfterSec: 0, takesSec: 0 });

    const id = await create(platform, 'file');
    expect(answer).toMatchObject({ status: 200, body: { startsAfterSec: 0, takesSec: 0 } });
    expect((await stored(platform, id)).status).toBe('ready');
    await platform.control('POST', 'reset');
    expect((await platform.control('GET', 'processing')).body).toEqual({ startsAfterSec: 5, takesSec: 30 });
  });
});

describe('item failures', () => {
  const RULE = { match: { ...TENANT, type: 'video' }, reason: 'no sound', times: 2 };

  test('meet the next items that match, and are told with the times that are left', async () => {
    const platform = new PlatformUnderTest({ processing: { startsAfterSec: 0, takesSec: 0 } });

    const answer = await platform.control('POST', 'item-failures', RULE);

    const id = await create(platform, 'file', 'video');
    expect(answer).toMatchObject({ status: 201, body: RULE });
    expect(await stored(platform, id)).toMatchObject({
      status: 'draft',
      items: [{ status: 'ok' }, { status: 'error', failureReason: 'no sound' }],
    });
    expect((await platform.control('GET', 'item-failures')).body).toEqual({
      failures: [{ ...RULE, times: 1 }],
    });
  });

  test.each([
    ['deleted', 'DELETE', 'item-failures'],
    ['reset', 'POST', 'reset'],
  ])('are gone when %s', async (_how, method, path) => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'item-failures', { reason: 'no sound' });

    const answer = await platform.control(method, path);

    expect(answer.status).toBe(204);
    expect((await platform.control('GET', 'item-failures')).body).toEqual({ failures: [] });
  });
});

describe('restore', () => {
  test('comes and goes, and takes the acting user from where it is told, until a reset', async () => {
    const platform = new PlatformUnderTest({ restoreAvailable: false });
    const { archivedContentIds, authorRefs } = await platform.tenant();
    const restore = (id: string, headers = {}) => platform.write('restore', id, { body: '{}', headers });
    const inHeader = { 'content-type': 'application/json', 'x-author-ref': authorRefs[0] };
    const unavailable = await restore(archivedContentIds[0], inHeader);

    const answers = [
      await platform.control('POST', 'restore', { available: true }),
      await platform.control('POST', 'restore', { actingUserIn: 'header' }),
    ];

    expect(unavailable.status).toBe(404);
    expect(answers.map(({ body }) => body)).toEqual([
      { available: true, actingUserIn: 'body' },
      { available: true, actingUserIn: 'header' },
    ]);
    expect((await restore(archivedContentIds[0], inHeader)).status).toBe(200);
    await platform.control('POST', 'reset');
    expect((await platform.control('GET', 'restore')).body).toEqual({
      available: false,
      actingUserIn: 'body',
    });
  });
});

test('key lag is that of the seed again after a reset', async () => {
  const platform = new PlatformUnderTest({ keyLagSec: 5 });
  const worksAtOnce = async () => (await platform.readWith(await platform.basic())) === 200;
  const before = await worksAtOnce();
  await platform.control('POST', 'key-lag', { sec: 0 });
  const during = await worksAtOnce();

  await platform.control('POST', 'reset');

  expect([before, during, await worksAtOnce()]).toEqual([false, true, false]);
});
