import {
  basic,
  LIVE_TENANT,
  MUTATION,
  NEIGHBOUR,
  platformError,
  PlatformUnderTest,
  type SessionValues,
  TENANT,
} from '../platform-under-test';

const PATH = '/tenant-service/staging/tenants';

interface Generated {
  readonly data: { readonly generateApiKey: { readonly apiKey: string; readonly validUntil: string } };
}

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

async function generatedKey(platform: PlatformUnderTest, session: SessionValues): Promise<string> {
  return ((await platform.graphql(session)).body as Generated).data.generateApiKey.apiKey;
}

function headersOf({ authorization, correlationId }: SessionValues): Record<string, string> {
  return { authorization, 'correlation-id': correlationId };
}

describe('Endpoints 2: generate a permanent API key', () => {
  test('the key belongs to the tenant of the session, and to no other', async () => {
    const apiKey = await generatedKey(platform, await platform.logIn());

    const reads = await Promise.all(
      [TENANT, NEIGHBOUR].map(({ tenantId }) => platform.readWith(basic(tenantId, apiKey))),
    );
    expect(reads).toEqual([200, 401]);
  });

  test('older keys stay valid, even after a second one in the same session', async () => {
    const session = await platform.logIn();
    const older = [await platform.basic(), basic(TENANT.tenantId, await generatedKey(platform, session))];

    await platform.graphql(session);

    expect(await Promise.all(older.map((headers) => platform.readWith(headers)))).toEqual([200, 200]);
  });

  test('Content-Type can have a charset', async () => {
    const answer = await platform.send('POST', PATH, {
      body: JSON.stringify({ query: MUTATION }),
      headers: { ...headersOf(await platform.logIn()), 'content-type': 'application/json; charset=utf-8' },
    });

    expect(answer.status).toBe(200);
  });

  test('GET is not offered', async () => {
    const headers = headersOf(await platform.logIn());

    const answer = await platform.send('GET', `${PATH}?query=${encodeURIComponent(MUTATION)}`, { headers });

    expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
  });
});

describe('the format of the request', () => {
  test.each([
    ['malformed JSON', '{"query":'],
    ['nothing', ''],
    ['null', 'null'],
    ['a string', '"{ __typename }"'],
    ['a batch', JSON.stringify([{ query: MUTATION }, { query: MUTATION }])],
    ['no query', '{}'],
    ['a query that is not a string', '{"query":["{ __typename }"]}'],
  ])('%s gets 400', async (_what, body) => {
    const answer = await platform.send('POST', PATH, {
      body,
      headers: { ...headersOf(await platform.logIn()), 'content-type': 'application/json' },
    });

    expect(answer).toMatchObject({ status: 400, body: platformError(400, 'Bad Request') });
  });

  test('an unauthorized request learns nothing about its format', async () => {
    const user = headersOf(await platform.logIn(TENANT, { administrator: false }));

    const answers = await Promise.all(
      [{}, user].map((headers) => platform.send('POST', PATH, { body: '{', headers })),
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 403]);
  });
});

describe('with control', () => {
  test('a connection that breaks after processing: the key is lost, but the request counted', async () => {
    await platform.addFault({ target: 'tenants', reset: 'after', times: 1 });

    const answer = await platform.graphql(await platform.logIn());

    const { body } = await platform.control('GET', 'counters');
    expect([answer.status, answer.body]).toEqual([0, '']);
    expect(body).toEqual({
      requests: [{ target: 'tenants', method: 'POST', path: PATH, status: 0, count: 1 }],
    });
  });

  test.each([{ tenantId: TENANT.tenantId }, { platformRegion: 'mea' }, { ...TENANT }])(
    'a fault for %j affects only requests of its sessions',
    async (match) => {
      await platform.addFault({ target: 'tenants', match, status: 503 });

      const answers = [
        await platform.graphql(await platform.logIn()),
        await platform.graphql(await platform.logIn(LIVE_TENANT), MUTATION, 'production'),
      ];

      expect(answers.map(({ status }) => status)).toEqual([503, 200]);
    },
  );
});
