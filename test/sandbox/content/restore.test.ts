import { basic, NEIGHBOUR, platformError, PlatformUnderTest, TENANT } from '../platform-under-test';
import { seededIds } from '../../../sandbox/seeded-ids';

const JSON_HEADERS = { 'content-type': 'application/json' };
const idOf = seededIds(TENANT, TENANT.tenantId);
const [DRAFT, PUBLISHED, READY] = [5, 6, 7].map((n) => idOf('content', n)) as [string, string, string];

describe('Endpoints 3: restore archived content', () => {
  test('answers the record with status published and its items, lowest rank first', async () => {
    const platform = new PlatformUnderTest();
    const [id] = (await platform.tenant()).archivedContentIds;

    const answer = await platform.write('restore', id);

    const item = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      type: expect.any(String) as string,
    };
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id,
      status: 'published',
      items: [
        { ...item, rank: 0, summary: 'Part 1', status: 'ok' },
        { ...item, rank: 1, summary: 'Part 2', status: 'ok' },
        { ...item, rank: 2, summary: 'Part 3', status: 'error', failureReason: expect.any(String) as string },
      ],
    });
  });

  test('makes an archived content one that is no longer archived', async () => {
    const platform = new PlatformUnderTest();
    const before = await platform.tenant();

    await platform.write('restore', before.archivedContentIds[0]);

    expect((await platform.tenant()).archivedContentIds).toEqual(before.archivedContentIds.slice(1));
  });

  test.each([
    ['draft', DRAFT],
    ['ready', READY],
  ])('States, rules 1 and 2: what was %s before it was archived becomes published', async (_state, id) => {
    const platform = new PlatformUnderTest();
    await platform.write('archive', id);

    const answer = await platform.write('restore', id);

    expect(answer.body).toMatchObject({ id, status: 'published' });
  });

  test('while it is unavailable, it is answered like an unknown operation', async () => {
    const platform = new PlatformUnderTest({ restoreAvailable: false });
    const [id] = (await platform.tenant()).archivedContentIds;

    const [restore, unknown] = await Promise.all([
      platform.write('restore', id),
      platform.send('POST', `/staging/mea/rest/v1/contents/${id}/undo`),
    ]);

    expect(restore).toMatchObject({ status: 404, body: unknown.body });
  });
});

describe('Archive, by analogy', () => {
  test('answers the same record shape, with status archived', async () => {
    const platform = new PlatformUnderTest();

    const answer = await platform.write('archive', PUBLISHED);

    expect(answer).toMatchObject({
      status: 200,
      body: { id: PUBLISHED, status: 'archived', items: [{ rank: 0 }, { rank: 1 }, { rank: 2 }] },
    });
  });

  test('409: content is archived already', async () => {
    const platform = new PlatformUnderTest();
    const [id] = (await platform.tenant()).archivedContentIds;

    const answer = await platform.write('archive', id);

    expect(answer).toMatchObject({ status: 409, body: platformError(409, 'Conflict') });
  });
});

describe('Endpoints 3, Errors table', () => {
  test.each([
    ['draft', DRAFT],
    ['published', PUBLISHED],
    ['ready', READY],
  ])('409: content that is %s has nothing to restore, and stays as it is', async (_state, id) => {
    const platform = new PlatformUnderTest();

    const answer = await platform.write('restore', id);

    expect(answer).toMatchObject({ status: 409, body: platformError(409, 'Conflict') });
    expect((await platform.control('GET', 'audit')).body).toEqual({ changes: [] });
  });

  test('404: the content does not exist', async () => {
    const platform = new PlatformUnderTest();

    const answer = await platform.write('restore', '0'.repeat(24));

    expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
  });

  test('404: the content of another tenant does not exist for this one', async () => {
    const platform = new PlatformUnderTest();
    const [foreign] = (await platform.tenant(NEIGHBOUR.tenantId)).archivedContentIds;

    const answer = await platform.write('restore', foreign);

    expect(answer.status).toBe(404);
  });

  test.each(['text/plain', 'application/json-patch+json', ''])(
    '415: Content-Type %j',
    async (contentType) => {
      const platform = new PlatformUnderTest();
      const [id] = (await platform.tenant()).archivedContentIds;

      const answer = await platform.write('restore', id, { headers: { 'content-type': contentType } });

      expect(answer).toMatchObject({ status: 415, body: platformError(415, 'Unsupported Media Type') });
    },
  );

  test('a charset beside application/json is accepted', async () => {
    const platform = new PlatformUnderTest();
    const [id] = (await platform.tenant()).archivedContentIds;

    const answer = await platform.write('restore', id, {
      headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    });

    expect(answer.status).toBe(200);
  });

  test.each(['', '{', 'authorRef=1'])('400: the body %j is malformed JSON', async (body) => {
    const platform = new PlatformUnderTest();
    const [id] = (await platform.tenant()).archivedContentIds;

    const answer = await platform.write('restore', id, { body, headers: JSON_HEADERS });

    expect(answer).toMatchObject({ status: 400, body: platformError(400, 'Bad Request') });
  });

  test.each([
    ['neither reference', '{}'],
    ['JSON that is no object', '["a"]'],
    ['null', 'null'],
    ['a reference that is no string', '{"authorRef":7}'],
    ['a null reference', '{"authorRef":null}'],
    ['an empty reference', '{"collaborationId":""}'],
    ['an unknown authorRef', '{"authorRef":"nobody"}'],
    ['an unknown collaborationId', '{"collaborationId":"nobody"}'],
  ])('422: %s', async (_what, body) => {
    const platform = new PlatformUnderTest();
    const [id] = (await platform.tenant()).archivedContentIds;

    const answer = await platform.write('restore', id, { body, headers: JSON_HEADERS });

    expect(answer).toMatchObject({ status: 422, body: platformError(422, 'Unprocessable Content') });
  });

  test('checks authentication, scope, content type, body, existence, references and state, in this order', async () => {
    const platform = new PlatformUnderTest();
    const [authorRef] = (await platform.tenant()).authorRefs;
    const [unknown, unknownRef] = ['0'.repeat(24), { authorRef: 'nobody' }];
    const text = { 'content-type': 'text/plain' };

    const answers = [
      await platform.write('restore', unknown, {
        body: '{',
        headers: { ...text, authorization: 'Bearer x' },
      }),
      await platform.write('restore', unknown, {
        body: '{',
        headers: { ...text, ...(await platform.bearer('api/read')) },
      }),
      await platform.write('restore', unknown, { body: '{', headers: text }),
      await platform.write('restore', unknown, { body: '{', headers: JSON_HEADERS }),
      await platform.write('restore', unknown, { json: unknownRef }),
      await platform.write('restore', DRAFT, { json: unknownRef }),
      await platform.write('restore', DRAFT, { json: { authorRef } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 403, 415, 400, 404, 422, 409]);
  });
});

test('Basic authentication restores as well', async () => {
  const platform = new PlatformUnderTest();
  const [id] = (await platform.tenant()).archivedContentIds;
  const { apiKey } = (await platform.control('POST', 'api-keys', TENANT)).body as { apiKey: string };

  const answer = await platform.write('restore', id, { headers: basic(TENANT.tenantId, apiKey) });

  expect(answer.status).toBe(200);
});
