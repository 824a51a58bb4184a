import { NEIGHBOUR, PlatformUnderTest, TENANT } from '../platform-under-test';
import { ContentClient, type StoredContent } from './content-client';

const ITEMS = [
  { type: 'video', summary: 'Welcome' },
  { type: 'quiz', summary: 'Questions' },
];

async function client(seed: object = {}, owner = TENANT) {
  return ContentClient.of(new PlatformUnderTest(seed), owner);
}
function statuses({ status, items }: StoredContent) {
  return [status, ...items.map((item) => item.status)];
}

describe('Item: processing over time', () => {
  test('items wait 5 seconds, are processed for 30, and are ok; then, and not before, the content is ready', async () => {
    const contents = await client();
    const id = await contents.created({ items: ITEMS });

    const seen = [statuses(await contents.stored(id))];
    for (const sec of [4.999, 0.001, 29.999, 0.001]) {
      await contents.pass(sec);
      seen.push(statuses(await contents.stored(id)));
    }

    expect(seen).toEqual([
      ['draft', 'pending', 'pending'],
      ['draft', 'pending', 'pending'],
      ['draft', 'processing', 'processing'],
      ['draft', 'processing', 'processing'],
      ['ready', 'ok', 'ok'],
    ]);
  });

  test('content without items does not become ready', async () => {
    const contents = await client();
    const id = await contents.created();

    await contents.pass(3600);

    expect((await contents.stored(id)).status).toBe('draft');
  });

  test('a timing that control sets, or a seed, applies to the items that come after it', async () => {
    const contents = await client({ processing: { startsAfterSec: 0, takesSec: 10 } });
    const first = await contents.created({ items: ITEMS });
    await contents.platform.control('POST', 'processing', { takesSec: 0 });
    const second = await contents.created({ items: ITEMS });

    expect(statuses(await contents.stored(first))).toEqual(['draft', 'processing', 'processing']);
    expect(statuses(await contents.stored(second))).toEqual(['ready', 'ok', 'ok']);
  });

  test('archive shows items as they are when it answers', async () => {
    const contents = await client();
    const id = await contents.created({ items: ITEMS });
    await contents.pass(10);

    const answer = await contents.send('archive', id);

    expect(answer.body).toMatchObject({
      id,
      status: 'archived',
      items: [{ status: 'processing' }, { status: 'processing' }],
    });
  });
});

describe('Item: failing', () => {
  test('an item that fails carries its reason once it has failed, and keeps the content from getting ready', async () => {
    const contents = await client();
    await contents.platform.control('POST', 'item-failures', {
      match: { type: 'quiz' },
      reason: 'no questions found',
    });
    const id = await contents.created({ items: ITEMS });

    const before = await contents.stored(id);
    await contents.pass(35);
    const after = await contents.stored(id);
    const published = await contents.send('publish', id);

    expect(before.items[1]).not.toHaveProperty('failureReason');
    expect(statuses(after)).toEqual(['draft', 'ok', 'error']);
    expect(after.items[1]?.failureReason).toBe('no questions found');
    expect(published.status).toBe(409);
  });

  test('items that replace it make the content ready after all', async () => {
    const contents = await client();
    await contents.platform.control('POST', 'item-failures', { reason: 'no questions found' });
    const id = await contents.created({ items: ITEMS });
    await contents.pass(35);

    await contents.send('update', id, { items: ITEMS });
    await contents.pass(35);

    expect((await contents.stored(id)).status).toBe('ready');
  });

  test('meets only the items that match, as many times as it says', async () => {
    const contents = await client();
    const neighbour = await ContentClient.of(contents.platform, NEIGHBOUR);
    await contents.platform.control('POST', 'item-failures', { match: TENANT, reason: 'broken', times: 3 });

    const ids = [
      await neighbour.created({ items: ITEMS }),
      await contents.created({ items: ITEMS }),
      await contents.created({ items: ITEMS }),
    ];
    await contents.pass(35);

    expect([
      statuses(await neighbour.stored(ids[0]!)),
      statuses(await contents.stored(ids[1]!)),
      statuses(await contents.stored(ids[2]!)),
    ]).toEqual([
      ['ready', 'ok', 'ok'],
      ['draft', 'error', 'error'],
      ['draft', 'error', 'ok'],
    ]);
  });

  test('a write that is refused uses none up', async () => {
    const contents = await client();
    await contents.platform.control('POST', 'item-failures', { reason: 'broken' });

    await contents.send('create', '', { title: 'x', items: ITEMS, authorRef: 'nobody' });
    const id = await contents.created({ items: ITEMS });
    await contents.pass(35);

    expect(statuses(await contents.stored(id))).toEqual(['draft', 'error', 'ok']);
  });
});
