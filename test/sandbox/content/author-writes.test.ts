import { NEIGHBOUR, PlatformUnderTest } from '../platform-under-test';
import { ContentClient } from './content-client';

const UNKNOWN = '0'.repeat(24);
const WRITES = ['update', 'publish', 'delete'] as const;
/** What each needs besides an acting user. */
const CHANGE = { update: { title: 'New title' }, publish: {}, delete: {} };

async function client(seed: object = {}) {
  return ContentClient.of(new PlatformUnderTest(seed));
}

describe.each(WRITES)('Acting-user object, rule 4: %s', (operation) => {
  test('acts for the author that its body names, wherever archive and restore take theirs from', async () => {
    const contents = await client({ actingUserIn: 'header' });
    const id = await contents.createdReady();
    const [owner, authorRef] = contents.tenant.authorRefs;

    await contents.send(operation, id, { ...CHANGE[operation], authorRef });

    expect((await contents.changes()).at(-1)).toMatchObject({
      operation,
      contentId: id,
      actingUser: authorRef,
      owner,
    });
  });

  test.each([
    ['no authorRef', { authorRef: undefined }],
    ['an empty authorRef', { authorRef: '' }],
    ['an authorRef that is no string', { authorRef: ['x'] }],
    ['an unknown authorRef', { authorRef: 'nobody' }],
    ['a null collaboration', { collaborationId: null }],
  ])('422: %s', async (_what, json) => {
    const contents = await client();
    const id = await contents.createdReady();
    const before = await contents.stored(id);

    const answer = await contents.send(operation, id, { ...CHANGE[operation], ...json });

    expect(answer.status).toBe(422);
    expect(await contents.stored(id)).toEqual(before);
    expect(await contents.changes()).toHaveLength(1);
  });

  test('422: a collaboration, even an own one beside an author: only POST /contents accepts it', async () => {
    const contents = await client();
    const id = await contents.createdReady();
    const [collaborationId] = contents.tenant.collaborationIds;

    const answer = await contents.send(operation, id, { ...CHANGE[operation], collaborationId });

    expect(answer.status).toBe(422);
    expect((answer.body as { message: string }).message).toContain('accepted by POST /contents only');
  });

  test('404: an unknown content, and one of another tenant', async () => {
    const contents = await client();
    const foreign = await ContentClient.of(contents.platform, NEIGHBOUR);
    const foreignId = await foreign.createdReady();

    const answers = [
      await contents.send(operation, UNKNOWN, CHANGE[operation]),
      await contents.send(operation, foreignId, CHANGE[operation]),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await foreign.stored(foreignId)).toMatchObject({ status: 'ready', deleted: false });
  });

  test.each([
    ['415', 'text/plain', 415],
    ['403', 'application/json', 403],
  ])('%s: %s', async (_what, contentType, status) => {
    const contents = await client();
    const id = await contents.createdReady();
    const scope = status === 403 ? 'api/read' : 'api/write';

    const answer = await contents.send(operation, id, CHANGE[operation], {
      ...(await contents.platform.bearer(scope)),
      'content-type': contentType,
    });

    expect(answer.status).toBe(status);
  });
});
