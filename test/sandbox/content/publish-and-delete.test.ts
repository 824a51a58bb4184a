import { PlatformUnderTest, TENANT } from '../platform-under-test';
import { ContentClient } from './content-client';

async function client() {
  return ContentClient.of(new PlatformUnderTest());
}

describe('POST /contents/{id}/publish', () => {
  test('publishes what is ready, and answers the catalogue view', async () => {
    const contents = await client();
    const id = await contents.createdReady();

    const answer = await contents.send('publish', id);

    expect(answer).toMatchObject({ status: 200, body: { id, isOfficial: false } });
    expect(answer.body).not.toHaveProperty('status');
    expect((await contents.stored(id)).status).toBe('published');
  });

  test.each([
    ['a draft without items', {}, 'draft'],
    ['a draft with an item in processing', { items: [{ type: 'quiz', summary: 'x' }] }, 'draft'],
  ])('409: %s', async (_what, json, status) => {
    const contents = await client();
    const id = await contents.created(json);

    const answer = await contents.send('publish', id);

    expect(answer.status).toBe(409);
    expect((await contents.stored(id)).status).toBe(status);
  });

  test('409: what is published, or archived', async () => {
    const contents = await client();
    const id = await contents.createdReady();
    await contents.send('publish', id);

    const published = await contents.send('publish', id);
    await contents.send('archive', id);
    const archived = await contents.send('publish', id);

    expect([published.status, archived.status]).toEqual([409, 409]);
  });
});

describe('DELETE /contents/{id}', () => {
  test('answers 204 without a body; then the content is gone for every operation', async () => {
    const contents = await client();
    const id = await contents.createdReady();

    const answer = await contents.send('delete', id);

    expect([answer.status, answer.body]).toEqual([204, '']);
    for (const operation of ['get', 'update', 'publish', 'archive', 'restore', 'delete'] as const) {
      expect((await contents.send(operation, id, { title: 'New title' })).status).toBe(404);
    }
  });

  test('is listed by the filter `deleted` of the legacy vocabulary, and not without a filter', async () => {
    const contents = await client();
    const id = await contents.created();

    await contents.send('delete', id);

    expect(await contents.list('deleted')).toEqual([id]);
    expect(await contents.list()).not.toContain(id);
    expect(await contents.list('created,published,archived')).not.toContain(id);
  });

  test('is possible in every state', async () => {
    const contents = await client();
    const [draft, ready, published, archived] = [
      await contents.created(),
      await contents.createdReady(),
      await contents.createdReady(),
      await contents.created(),
    ];
    await contents.send('publish', published);
    await contents.send('archive', archived);

    for (const id of [draft, ready, published, archived]) await contents.send('delete', id);

    expect(await contents.list('deleted')).toEqual([draft, ready, published, archived]);
  });

  test('contents that control adds after one was deleted take no other one’s place', async () => {
    const contents = await client();
    await contents.send('delete', contents.tenant.archivedContentIds[0]);

    await contents.platform.control('POST', 'contents', { ...TENANT, count: 2 });

    expect(await contents.list()).toHaveLength(9);
  });
});
