import { LIVE_TENANT, NOON_MS, PlatformUnderTest, TENANT } from '../platform-under-test';

const JSON_HEADERS = { 'content-type': 'application/json' };

interface Change {
  actingUser: string;
  owner: string;
}
async function changes(platform: PlatformUnderTest): Promise<Change[]> {
  return ((await platform.control('GET', 'audit')).body as { changes: Change[] }).changes;
}

describe('Acting-user object', () => {
  test('rule 1: with both, the collaboration owns the content and the author is the acting user', async () => {
    const platform = new PlatformUnderTest();
    const { archivedContentIds, authorRefs, collaborationIds } = await platform.tenant();
    const json = { authorRef: authorRefs[1], collaborationId: collaborationIds[1] };

    await platform.write('restore', archivedContentIds[0], { json });

    expect(await changes(platform)).toEqual([
      {
        at: new Date(NOON_MS).toISOString(),
        ...TENANT,
        contentId: archivedContentIds[0],
        operation: 'restore',
        actingUser: authorRefs[1],
        owner: collaborationIds[1],
      },
    ]);
  });

  test('rule 2: with collaborationId alone, the change is recorded against a system account', async () => {
    const platform = new PlatformUnderTest();
    const { archivedContentIds, collaborationIds } = await platform.tenant();

    await platform.write('restore', archivedContentIds[0], {
      json: { collaborationId: collaborationIds[0] },
    });

    expect(await changes(platform)).toMatchObject([
      { actingUser: 'system account', owner: collaborationIds[0] },
    ]);
  });

  test('with authorRef alone, the content keeps its owner', async () => {
    const platform = new PlatformUnderTest();
    const { archivedContentIds, authorRefs } = await platform.tenant();

    await platform.write('restore', archivedContentIds[0], { json: { authorRef: authorRefs[1] } });

    expect(await changes(platform)).toMatchObject([{ actingUser: authorRefs[1], owner: authorRefs[0] }]);
  });

  test.each(['authorRefs', 'collaborationIds'] as const)(
    'rule 3: one of another organisation (%s) is rejected beside a good one, and nothing is written',
    async (kind) => {
      const platform = new PlatformUnderTest();
      const own = await platform.tenant();
      const foreign = await platform.tenant(LIVE_TENANT.tenantId);
      const refs = { ...own, [kind]: foreign[kind] };
      const json = { authorRef: refs.authorRefs[0], collaborationId: refs.collaborationIds[0] };

      const answer = await platform.write('restore', own.archivedContentIds[0], { json });

      expect(answer.status).toBe(422);
      expect(await changes(platform)).toEqual([]);
      expect(await platform.tenant()).toEqual(own);
    },
  );

  test('an author reference is no collaboration identifier', async () => {
    const platform = new PlatformUnderTest();
    const { archivedContentIds, authorRefs } = await platform.tenant();

    const answer = await platform.write('restore', archivedContentIds[0], {
      json: { collaborationId: authorRefs[0] },
    });

    expect(answer.status).toBe(422);
  });

  test('rule 5: where it has moved to headers, it is read from there and the body may be empty', async () => {
    const platform = new PlatformUnderTest({ actingUserIn: 'header' });
    const { archivedContentIds, authorRefs, collaborationIds } = await platform.tenant();
    const acting = { 'X-Author-Ref': authorRefs[1]!, 'X-Collaboration-Id': collaborationIds[0] };

    const answer = await platform.write('restore', archivedContentIds[0], {
      body: '',
      headers: { ...JSON_HEADERS, ...acting },
    });

    expect(answer.status).toBe(200);
    expect(await changes(platform)).toMatchObject([
      { actingUser: authorRefs[1], owner: collaborationIds[0] },
    ]);
  });

  test('rule 5: where it has moved to headers, one in the body does not count', async () => {
    const platform = new PlatformUnderTest({ actingUserIn: 'header' });
    const { archivedContentIds, authorRefs } = await platform.tenant();

    const answer = await platform.write('restore', archivedContentIds[0], {
      json: { authorRef: authorRefs[0] },
    });

    expect(answer.status).toBe(422);
  });
});
