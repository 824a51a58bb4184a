import { platformError, PlatformUnderTest, TENANT, type TenantState } from '../platform-under-test';
import { ContentClient } from './content-client';

const UNKNOWN = '0'.repeat(24);
const JSON_HEADERS = { 'content-type': 'application/json' };

let platform: PlatformUnderTest;
let contents: ContentClient;
let own: TenantState;

async function start(seed: object = {}): Promise<void> {
  platform = new PlatformUnderTest(seed);
  contents = await ContentClient.of(platform);
  own = contents.tenant;
}
beforeEach(() => start());

// The model (test/sandbox/model) tests what writes change, record and answer.

describe('a restore', () => {
  test('checks authentication, scope, content type, body, existence, references and state, in this order', async () => {
    const draft = await contents.created();
    const text = { 'content-type': 'text/plain' };
    const reading = await platform.bearer('api/read');

    const answers = [
      await platform.write('restore', UNKNOWN, {
        body: '{',
        headers: { ...text, authorization: 'Bearer x' },
      }),
      await platform.write('restore', UNKNOWN, { body: '{', headers: { ...text, ...reading } }),
      await platform.write('restore', UNKNOWN, { body: '{', headers: text }),
      await platform.write('restore', UNKNOWN, { body: '{', headers: JSON_HEADERS }),
      await platform.write('restore', UNKNOWN, { json: { authorRef: 'nobody' } }),
      await platform.write('restore', draft, { json: { authorRef: 'nobody' } }),
      await platform.write('restore', draft),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 403, 415, 400, 404, 422, 409]);
  });

  test.each([
    ['JSON that is not an object', '["a"]'],
    ['null', 'null'],
    ['a null reference', '{"authorRef":null}'],
    ['an unknown collaborationId', '{"collaborationId":"nobody"}'],
  ])('422: %s', async (_what, body) => {
    const answer = await platform.write('restore', own.archivedContentIds[0], {
      body,
      headers: JSON_HEADERS,
    });

    expect(answer).toMatchObject({ status: 422, body: platformError(422, 'Unprocessable Content') });
  });

  test('422: an author reference is not accepted as a collaboration identifier', async () => {
    const answer = await platform.write('restore', own.archivedContentIds[0], {
      json: { collaborationId: own.authorRefs[0] },
    });

    expect(answer.status).toBe(422);
  });

  test('accepts application/json in any case, with a charset', async () => {
    const answer = await platform.write('restore', own.archivedContentIds[0], {
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    });

    expect(answer.status).toBe(200);
  });

  test('gets the same answer as an unknown operation while unavailable', async () => {
    await start({ restoreAvailable: false });
    const [id] = own.archivedContentIds;

    const restored = await platform.write('restore', id);
    const unknown = await platform.send('POST', `/staging/mea/rest/v1/contents/${id}/undo`);

    expect(restored).toMatchObject({ status: 404, body: unknown.body });
  });

  test('Acting-user object, rule 5: the body may be empty if the acting user is in headers', async () => {
    await start({ actingUserIn: 'header' });
    const acting = { 'X-Author-Ref': own.authorRefs[1]!, 'X-Collaboration-Id': own.collaborationIds[0] };

    const answer = await platform.write('restore', own.archivedContentIds[0], {
      body: '',
      headers: { ...JSON_HEADERS, ...acting },
    });

    expect(answer.status).toBe(200);
    expect(await contents.changes()).toMatchObject([
      { actingUser: own.authorRefs[1], owner: own.collaborationIds[0] },
    ]);
  });
});

describe('a create', () => {
  test('ignores fields that only the platform sets', async () => {
    const id = await contents.created({ status: 'published', isOfficial: true, author: 'me', deleted: true });

    expect(await contents.stored(id)).toMatchObject({
      status: 'draft',
      author: own.authorRefs[0],
      deleted: false,
    });
  });

  test.each([
    [{ title: undefined }, 'title'],
    [{ tags: ['x', ''] }, 'tags.1'],
    [{ items: [{ type: 'quiz' }] }, 'items.0.summary'],
  ])('422: %j is reported by its path', async (json, field) => {
    const { status, body } = await contents.send('create', '', { title: 'Safety at work', ...json });

    expect(status).toBe(422);
    expect((body as { message: string }).message).toMatch(new RegExp(`^${field}: `));
  });

  test('422: a tenant can have at most 10,000 contents', async () => {
    await platform.control('POST', 'contents', { ...TENANT, count: 9991 });

    const statuses = [];
    for (const title of ['Last', 'Too many'])
      statuses.push((await contents.send('create', '', { title })).status);

    expect(statuses).toEqual([201, 422]);
  });
});

test('422: PATCH refuses a collaborationId and names the operation that accepts it', async () => {
  const id = await contents.created();

  const { status, body } = await contents.send('update', id, {
    title: 'New title',
    collaborationId: own.collaborationIds[0],
  });

  expect(status).toBe(422);
  expect((body as { message: string }).message).toContain('accepted by POST /contents only');
});

test('the filter of GET /contents can be repeated', async () => {
  expect(await contents.list('created&statuses=published')).toHaveLength(3);
});

test('items are pending for 5 s, processed for 30 s, then ok; only then is the content ready', async () => {
  const id = await contents.created({ items: [{ type: 'video', summary: 'Welcome' }] });

  const seen = [];
  for (const sec of [0, 4.999, 0.001, 29.999, 0.001]) {
    await contents.pass(sec);
    const { status, items } = await contents.stored(id);
    seen.push([status, items[0]?.status]);
  }

  expect(seen).toEqual([
    ['draft', 'pending'],
    ['draft', 'pending'],
    ['draft', 'processing'],
    ['draft', 'processing'],
    ['ready', 'ok'],
  ]);
});

test('contents that control adds after a delete get new ids', async () => {
  await contents.send('delete', own.archivedContentIds[0]);

  await platform.control('POST', 'contents', { ...TENANT, count: 2 });

  expect(await contents.list()).toHaveLength(9);
});
