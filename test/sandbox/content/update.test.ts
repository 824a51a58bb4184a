import { NOON_MS, PlatformUnderTest } from '../platform-under-test';
import { ContentClient } from './content-client';

const LATER = new Date(NOON_MS + 60_000).toISOString();

async function client() {
  return ContentClient.of(new PlatformUnderTest());
}

describe('PATCH /contents/{id}', () => {
  test.each([
    { title: 'New title' },
    { description: '' },
    { tags: [] },
    { type: 'path' },
    { title: 'New title', description: 'New', tags: ['new'], type: 'path' },
  ])('changes %j and nothing else', async (change) => {
    const contents = await client();
    const id = await contents.created({ description: 'Old', tags: ['old'] });
    const before = await contents.stored(id);
    await contents.pass(60);

    const answer = await contents.send('update', id, change);

    expect(answer).toMatchObject({ status: 200, body: { id, ...change, isOfficial: false } });
    expect(await contents.stored(id)).toEqual({ ...before, ...change, updatedAt: LATER });
  });

  test('new items replace the old, and are processed from pending: what was ready is a draft again', async () => {
    const contents = await client();
    const id = await contents.createdReady();
    const before = await contents.stored(id);

    await contents.send('update', id, { items: [{ type: 'quiz', summary: 'Questions' }] });

    const after = await contents.stored(id);
    expect(before.status).toBe('ready');
    expect(after).toMatchObject({ status: 'draft', items: [{ type: 'quiz', rank: 0, status: 'pending' }] });
    expect(after.items[0]?.id).not.toBe(before.items[0]?.id);
    await contents.pass(35);
    expect(await contents.stored(id)).toMatchObject({ status: 'ready', items: [{ status: 'ok' }] });
  });

  test('without items, what is ready stays ready', async () => {
    const contents = await client();
    const id = await contents.createdReady();

    await contents.send('update', id, { title: 'New title' });

    expect((await contents.stored(id)).status).toBe('ready');
  });

  test('what is published stays published', async () => {
    const contents = await client();
    const id = await contents.createdReady();
    await contents.send('publish', id);

    const answer = await contents.send('update', id, { items: [] });

    expect(answer.status).toBe(200);
    expect(await contents.stored(id)).toMatchObject({ status: 'published', items: [] });
  });

  test('409: archived content is not changed', async () => {
    const contents = await client();
    const id = await contents.created();
    await contents.send('archive', id);

    const answer = await contents.send('update', id, { title: 'New title' });

    expect(answer.status).toBe(409);
    expect((await contents.stored(id)).title).toBe('Safety at work');
  });

  test.each([
    ['no change', {}],
    ['nothing but unknown fields', { status: 'published', owner: 'me' }],
    ['a title that is too long', { title: 'x'.repeat(257) }],
    ['one good and one bad change', { title: 'New title', items: [{ type: 'song', summary: 'x' }] }],
  ])('422: %s', async (_what, change) => {
    const contents = await client();
    const id = await contents.created();
    const before = await contents.stored(id);

    const answer = await contents.send('update', id, change);

    expect(answer.status).toBe(422);
    expect(await contents.stored(id)).toEqual(before);
  });
});
