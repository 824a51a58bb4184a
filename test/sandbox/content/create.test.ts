import {
  LIVE_TENANT,
  NOON_MS,
  platformError,
  PlatformUnderTest,
  TENANT,
  type TenantState,
} from '../platform-under-test';
import { ContentClient } from './content-client';

const NOON = new Date(NOON_MS).toISOString();
const ID = expect.stringMatching(/^[0-9a-f]{24}$/) as string;
const WHOLE = {
  title: 'Safety at work',
  description: 'For everybody',
  tags: ['safety', 'yearly'],
  type: 'path',
  items: [
    { type: 'video', summary: 'Welcome' },
    { type: 'quiz', summary: 'Questions' },
  ],
};

async function client() {
  return ContentClient.of(new PlatformUnderTest());
}

describe('POST /contents', () => {
  test('answers 201 with the catalogue view, and where the content is', async () => {
    const contents = await client();

    const answer = await contents.send('create', '', WHOLE);

    const { id } = answer.body as { id: string };
    expect([answer.status, answer.headers.get('location')]).toEqual([
      201,
      `/staging/mea/rest/v1/contents/${id}`,
    ]);
    expect(answer.body).toEqual({
      id: ID,
      title: 'Safety at work',
      description: 'For everybody',
      tags: ['safety', 'yearly'],
      type: 'path',
      createdAt: NOON,
      updatedAt: NOON,
      author: contents.tenant.authorRefs[0],
      isOfficial: false,
    });
    expect((await contents.send('get', id)).body).toEqual(answer.body);
  });

  test('makes a draft whose items are pending, in the order given', async () => {
    const contents = await client();

    const id = await contents.created(WHOLE);

    expect(await contents.stored(id)).toMatchObject({
      status: 'draft',
      deleted: false,
      items: [
        { id: ID, type: 'video', rank: 0, summary: 'Welcome', status: 'pending' },
        { id: ID, type: 'quiz', rank: 1, summary: 'Questions', status: 'pending' },
      ],
    });
  });

  test('needs no more than an author and a title; unknown fields are ignored', async () => {
    const contents = await client();

    const id = await contents.created({ status: 'published', isOfficial: true });

    expect(await contents.stored(id)).toMatchObject({
      status: 'draft',
      description: '',
      tags: [],
      type: 'course',
      items: [],
    });
  });

  test('is recorded with its acting user', async () => {
    const contents = await client();

    const id = await contents.created();

    expect(await contents.changes()).toEqual([
      {
        at: NOON,
        ...TENANT,
        contentId: id,
        operation: 'create',
        actingUser: contents.tenant.authorRefs[0],
        owner: contents.tenant.authorRefs[0],
      },
    ]);
  });

  test.each([
    [{ title: undefined }, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(257) }, 'title'],
    [{ title: 7 }, 'title'],
    [{ description: 'x'.repeat(4097) }, 'description'],
    [{ description: null }, 'description'],
    [{ tags: 'safety' }, 'tags'],
    [{ tags: Array<string>(51).fill('x') }, 'tags'],
    [{ tags: ['x', ''] }, 'tags.1'],
    [{ tags: ['x'.repeat(65)] }, 'tags.0'],
    [{ type: '' }, 'type'],
    [{ type: 'x'.repeat(65) }, 'type'],
    [{ items: {} }, 'items'],
    [{ items: Array(101).fill({ type: 'quiz', summary: 'x' }) }, 'items'],
    [{ items: ['quiz'] }, 'items.0'],
    [{ items: [{ type: 'song', summary: 'x' }] }, 'items.0.type'],
    [{ items: [{ type: 'quiz', summary: '' }] }, 'items.0.summary'],
    [{ items: [{ type: 'quiz', summary: 'x'.repeat(257) }] }, 'items.0.summary'],
    [{ items: [{ type: 'quiz' }] }, 'items.0.summary'],
  ])('422: %.60j, and nothing is created', async (json, field) => {
    const contents = await client();

    const answer = await contents.send('create', '', { title: 'Safety at work', ...json });

    expect(answer).toMatchObject({ status: 422, body: platformError(422, 'Unprocessable Content') });
    expect((answer.body as { message: string }).message).toMatch(new RegExp(`^${field}: `));
    expect(await contents.list()).toHaveLength(8);
  });

  test('the longest that is allowed is created', async () => {
    const contents = await client();

    const answer = await contents.send('create', '', {
      title: 'x'.repeat(256),
      description: 'x'.repeat(4096),
      tags: Array<string>(50).fill('x'.repeat(64)),
      type: 'x'.repeat(64),
      items: Array(100).fill({ type: 'quiz', summary: 'x'.repeat(256) }),
    });

    expect(answer.status).toBe(201);
  });

  test('422 does not quote what was sent', async () => {
    const contents = await client();

    const answer = await contents.send('create', '', {
      title: 7,
      tags: ['planted'.repeat(20)],
      type: ['planted'],
    });

    expect(JSON.stringify(answer.body)).not.toContain('planted');
  });

  test('a tenant has at most 10,000 contents', async () => {
    const contents = await client();
    await contents.platform.control('POST', 'contents', { ...TENANT, count: 9991 });

    const [last, tooMany] = [
      await contents.send('create', '', { title: 'Last' }),
      await contents.send('create', '', { title: 'Too many' }),
    ];

    expect([last.status, tooMany.status]).toEqual([201, 422]);
  });
});

describe('Acting-user object, on create', () => {
  test('the author becomes author, owner and acting user', async () => {
    const contents = await client();
    const [, authorRef] = contents.tenant.authorRefs;

    const id = await contents.created({ authorRef });

    expect(await contents.stored(id)).toMatchObject({ author: authorRef, owner: authorRef });
    expect(await contents.changes()).toMatchObject([{ actingUser: authorRef, owner: authorRef }]);
  });

  test('rule 1: with both, the collaboration owns the content and the author is the acting user', async () => {
    const contents = await client();
    const [authorRef] = contents.tenant.authorRefs;
    const [, collaborationId] = contents.tenant.collaborationIds;

    const id = await contents.created({ collaborationId });

    expect(await contents.stored(id)).toMatchObject({ author: authorRef, owner: collaborationId });
    expect(await contents.changes()).toMatchObject([{ actingUser: authorRef, owner: collaborationId }]);
  });

  test.each(['authorRefs', 'collaborationIds'] as const)(
    'rule 3: one of another organisation (%s) is rejected, and nothing is created',
    async (kind) => {
      const contents = await client();
      const foreign = await contents.platform.tenant(LIVE_TENANT.tenantId);
      const { authorRefs, collaborationIds }: TenantState = { ...contents.tenant, [kind]: foreign[kind] };

      const answer = await contents.send('create', '', {
        title: 'Safety at work',
        authorRef: authorRefs[0],
        collaborationId: collaborationIds[0],
      });

      expect(answer.status).toBe(422);
      expect(await contents.changes()).toEqual([]);
      expect(await contents.list()).toHaveLength(8);
    },
  );

  test('rule 4: requires authorRef, even beside a collaboration', async () => {
    const contents = await client();
    const [collaborationId] = contents.tenant.collaborationIds;

    const answer = await contents.send('create', '', { title: 'x', authorRef: undefined, collaborationId });

    expect(answer.status).toBe(422);
  });

  test('rule 5 speaks of the coming-soon writes: this one carries the acting user in its body for good', async () => {
    const contents = await ContentClient.of(new PlatformUnderTest({ actingUserIn: 'header' }));

    const answer = await contents.send('create', '', { title: 'Safety at work' });

    expect(answer.status).toBe(201);
  });
});
