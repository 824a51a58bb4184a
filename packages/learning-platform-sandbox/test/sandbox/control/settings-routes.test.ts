import { PlatformUnderTest } from '../platform-under-test';

const DEFAULT_HEADERS = { authorRef: 'X-Author-Ref', collaborationId: 'X-Collaboration-Id' };

// The model (test/sandbox/model) tests the effects of the settings.

describe('item failures', () => {
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

test('processing takes 5 s and 30 s by default, and what is set until a reset', async () => {
  const platform = new PlatformUnderTest({ processing: { takesSec: 7 } });

  const answers = [
    await new PlatformUnderTest().control('GET', 'processing'),
    await platform.control('POST', 'processing', { startsAfterSec: 0 }),
    await platform.control('POST', 'processing', { takesSec: 0 }),
  ];
  await platform.control('POST', 'reset');

  expect(answers.map(({ body }) => body)).toEqual([
    { startsAfterSec: 5, takesSec: 30 },
    { startsAfterSec: 0, takesSec: 7 },
    { startsAfterSec: 0, takesSec: 0 },
  ]);
  expect((await platform.control('GET', 'processing')).body).toEqual({ startsAfterSec: 5, takesSec: 7 });
});

describe('restore', () => {
  test('can be switched off, and can take the acting user from headers, until a reset', async () => {
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
      { available: true, actingUserIn: 'body', actingUserHeaders: DEFAULT_HEADERS },
      { available: true, actingUserIn: 'header', actingUserHeaders: DEFAULT_HEADERS },
    ]);
    expect((await restore(archivedContentIds[0], inHeader)).status).toBe(200);
    await platform.control('POST', 'reset');
    expect((await platform.control('GET', 'restore')).body).toEqual({
      available: false,
      actingUserIn: 'body',
      actingUserHeaders: DEFAULT_HEADERS,
    });
  });

  test('can take the acting user from headers of other names, until a reset', async () => {
    const platform = new PlatformUnderTest({ actingUserIn: 'header' });
    const { archivedContentIds, authorRefs } = await platform.tenant();
    const actingUserHeaders = { authorRef: 'Acting-Author', collaborationId: 'Acting-Team' };
    const restoreWith = (name: string) =>
      platform.write('restore', archivedContentIds[0], {
        body: '{}',
        headers: { 'content-type': 'application/json', [name]: authorRefs[0] },
      });

    const { body } = await platform.control('POST', 'restore', { actingUserHeaders });

    expect(body).toMatchObject({ actingUserHeaders });
    expect((await restoreWith('X-Author-Ref')).status).toBe(422);
    expect((await restoreWith('acting-author')).status).toBe(200);
    await platform.control('POST', 'reset');
    expect((await platform.control('GET', 'restore')).body).toMatchObject({
      actingUserHeaders: DEFAULT_HEADERS,
    });
  });
});

test('a reset restores the key lag of the seed', async () => {
  const platform = new PlatformUnderTest({ keyLagSec: 5 });
  const worksAtOnce = async () => (await platform.readWith(await platform.basic())) === 200;
  const before = await worksAtOnce();
  await platform.control('POST', 'key-lag', { sec: 0 });
  const during = await worksAtOnce();

  await platform.control('POST', 'reset');

  expect([before, during, await worksAtOnce()]).toEqual([false, true, false]);
});
