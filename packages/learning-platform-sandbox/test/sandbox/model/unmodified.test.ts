import { isDeepStrictEqual } from 'node:util';
import { ContentClient } from '../content/content-client';
import { platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

/** The dependencies of a write in the order of use, each with a fault that makes it fail there. */
const FAILURES = {
  'the store, when reading the content': { dependency: 'store' },
  'the directory': { dependency: 'directory' },
  // With this seed the fault skips the first use of the store and applies to the second.
  'the store, when writing the content': { dependency: 'store', probability: 0.5, seed: 3 },
  'the audit trail': { dependency: 'audit' },
};
const STATES = {
  'a draft without items': { status: 'draft', items: [] },
  'a draft being processed': { status: 'draft', items: [{ status: 'processing' }] },
  'a draft with a failed item': { status: 'draft', items: [{ status: 'error', failureReason: 'broken' }] },
  'ready content': { status: 'ready' },
  'published content': { status: 'published' },
  'archived content': { status: 'archived' },
};
const WRITES = ['create', 'update', 'publish', 'delete', 'archive', 'restore'] as const;
type Write = (typeof WRITES)[number];
const ITEMS = [{ type: 'quiz', summary: 'Questions' }];
const CHANGE = { title: 'Changed', description: 'Changed', tags: ['changed'], type: 'path', items: ITEMS };

/** A platform with one content in a status, and a pending item failure. */
async function start(state: object) {
  const client = await ContentClient.of(new PlatformUnderTest());
  const { body } = await client.platform.control('POST', 'contents', { ...TENANT, ...state });
  await client.platform.control('POST', 'item-failures', { reason: 'broken' });
  return { client, id: (body as { contentIds: [string] }).contentIds[0] };
}

/** A valid write that changes every field it can. */
function write(client: ContentClient, operation: Write, id: string) {
  const [collaborationId] = client.tenant.collaborationIds;
  const isOwning = operation === 'create' || operation === 'archive' || operation === 'restore';
  const changes = operation === 'create' || operation === 'update' ? CHANGE : {};
  return client.send(operation, operation === 'create' ? '' : id, {
    ...changes,
    ...(isOwning && { collaborationId }),
  });
}

async function everything(client: ContentClient) {
  return {
    stored: await client.allStored(),
    listed: await client.list('created,published,archived,deleted'),
    changes: await client.changes(),
    itemFailures: (await client.platform.control('GET', 'item-failures')).body,
  };
}

describe.each(WRITES)('Errors, 502 and general rule 1: %s leaves the content unmodified', (operation) => {
  test.each(Object.entries(STATES))('of %s, whichever service fails', async (_state, state) => {
    const { client, id } = await start(state);
    const before = await everything(client);
    const failed: string[] = [];

    for (const [where, fault] of Object.entries(FAILURES)) {
      await client.platform.addFault({ target: 'content', match: { operation }, times: 1, ...fault });
      const answer = await write(client, operation, id);
      await client.platform.control('DELETE', 'faults');
      // A write refused for its status goes no further.
      if (answer.status !== 502) break;
      failed.push(where);
      expect(answer.body).toEqual(platformError(502, 'Bad Gateway'));
      expect(await everything(client)).toEqual(before);
    }

    const isRefused = (await write(client, operation, id)).status === 409;
    expect(failed).toEqual(Object.keys(FAILURES).slice(0, isRefused ? 2 : 4));
    expect(isDeepStrictEqual(await everything(client), before)).toBe(isRefused);
  });
});

test.each(['list', 'get'] as const)('%s depends only on the store', async (operation) => {
  const client = await ContentClient.of(new PlatformUnderTest());

  const statuses = [];
  for (const dependency of ['directory', 'audit', 'store']) {
    await client.platform.addFault({ target: 'content', dependency });
    statuses.push((await client.send(operation, client.tenant.archivedContentIds[0])).status);
  }

  expect(statuses).toEqual([200, 200, 502]);
});
