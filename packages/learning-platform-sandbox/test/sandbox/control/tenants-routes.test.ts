import { LIVE_TENANT, NEIGHBOUR, PlatformUnderTest, TENANT, type TenantState } from '../platform-under-test';

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

describe('tenants', () => {
  test('every tenant has its own five archived contents, two authors and two collaborations', async () => {
    const tenants = await Promise.all(
      [TENANT, NEIGHBOUR, LIVE_TENANT].map(({ tenantId }) => platform.tenant(tenantId)),
    );

    const ids = tenants.flatMap((t) => [...t.archivedContentIds, ...t.authorRefs, ...t.collaborationIds]);
    expect(new Set(ids).size).toBe(3 * (5 + 2 + 2));
    expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
  });

  test('ids are the same in every run', async () => {
    const [first, second] = [new PlatformUnderTest(), new PlatformUnderTest()];

    expect(await first.tenant()).toEqual(await second.tenant());
  });
});

describe('an added tenant', () => {
  const ADDED = { ...TENANT, tenantId: 'me-south-1_Added' };

  test('is described like every tenant, with generated values for omitted fields', async () => {
    const answer = await platform.control('POST', 'tenants', ADDED);

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(await platform.tenant(ADDED.tenantId));
    const { archivedContentIds, authorRefs, collaborationIds } = answer.body as TenantState;
    expect([archivedContentIds, authorRefs, collaborationIds].map(({ length }) => length)).toEqual([5, 2, 2]);
  });

  test('works like a seeded tenant, with its own credentials and API keys', async () => {
    await platform.control('POST', 'tenants', ADDED);

    const statuses = [
      await platform.readWith(await platform.bearer('api/read', ADDED)),
      await platform.readWith(await platform.basic(ADDED)),
    ];

    expect(statuses).toEqual([200, 200]);
  });

  test('has the given users, collaborations and contents', async () => {
    const id = '0123456789abcdefABCDEF00';
    const given = { authorRefs: ['ada'], collaborationIds: [] };
    const contents = [{ id, status: 'draft', items: [] }, { id: id.replace('0', '1') }];

    const answer = await platform.control('POST', 'tenants', { ...ADDED, ...given, contents });

    expect(answer.body).toEqual({ ...ADDED, ...given, archivedContentIds: [contents[1]!.id] });
  });

  test('stays after a reset, with its contents restored', async () => {
    const added = await platform.control('POST', 'tenants', ADDED);
    await platform.control('POST', 'contents', ADDED);

    await platform.control('POST', 'reset');

    expect(await platform.tenant(ADDED.tenantId)).toEqual(added.body);
  });

  test('is refused with all faults at once, each by its path', async () => {
    const [taken] = (await platform.tenant()).archivedContentIds;

    const answer = await platform.control('POST', 'tenants', {
      environment: 'staging',
      platformRegion: 'global',
      tenantId: TENANT.tenantId,
      authorRefs: ['ada', 7],
      collaborationIds: [],
      contents: [{ id: taken, collaborationId: 'theirs' }, { status: 'gone' }],
    });

    expect(answer.status).toBe(400);
    const { message } = answer.body as { message: string };
    expect(message.split('; ').filter((part) => part.includes(': found '))).toEqual([
      'authorRefs[1]: found 7',
      'contents[1].status: found "gone"',
      'platformRegion: found "global"',
      `tenantId: found "${TENANT.tenantId}"`,
      `contents[0].id: found "${taken}"`,
      'contents[0].collaborationId: found "theirs"',
    ]);
    expect(message).toContain('a deployment of this sandbox: staging/mea, production/global');
  });
});
