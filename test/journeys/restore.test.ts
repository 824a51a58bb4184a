import { createHash } from 'node:crypto';

import { basic, ensure, type Place, placeOf } from './support/journeys';
import { expectProblem } from './support/problem-answer';
import {
  basicOf,
  bearerOf,
  callRestore,
  changesOf,
  isArchived,
  platformAnswers,
  restoreUrl,
} from './support/restore-calls';
import { RunningSystem } from './support/running-system';

let system: RunningSystem;
/** A tenant with a webhooks token, and its neighbour in the same deployment. */
let place: Place;
let neighbour: Place;
let contentId: string;

beforeAll(async () => {
  system = await RunningSystem.start();
  place = placeOf(system, 'staging', 'global');
  neighbour = { ...place, tenant: place.deployment.tenants[1]! };
  contentId = place.tenant.archivedContentIds[0]!;
});
afterAll(() => system.stop());
beforeEach(() => system.control('POST', '/reset'));

describe('a caller who is not authenticated gets 401 with the challenges, and nothing is sent', () => {
  const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

  it.each<[string, () => string | string[] | undefined | Promise<string | string[]>]>([
    ['nothing', () => undefined],
    ['an empty value', () => ''],
    ['an unknown scheme', () => 'Digest username="a"'],
    ['Basic that is no Base64', () => 'Basic !!!'],
    ['Basic without a colon', () => encoded('no colon')],
    ['Basic without a key', () => encoded(`${place.tenant.tenantId}:`)],
    ['a wrong API key', () => basic(place.tenant, 'wrong')],
    ['the API key of a neighbour', () => basicOf(neighbour)],
    ['a wrong token', () => 'Bearer wrong'],
    ['the token of a neighbour', () => bearerOf(neighbour, 'api/write')],
    ['a webhooks token', () => bearerOf(place, 'api/webhooks')],
    ['two values, though each is right', async () => [await basicOf(place), await basicOf(place)]],
  ])('with %s', async (_, authorization) => {
    const answer = await callRestore(place, contentId, { authorization: await authorization() });

    expectProblem(answer, 401, 'unauthorized');
    expect(await platformAnswers(place, contentId)).toEqual({});
  });

  it('with a token that the caller got from the platform without Latchkey', async () => {
    const { deployment, tenant } = place;
    const { clientId, clientSecret } = await system.secret<{ clientId: string; clientSecret: string }>(
      tenant.clientCredentialsArn,
    );
    const { body } = await system.https(
      'POST',
      `${deployment.platform.contentTokenBaseUrl}/oauth2/token/${tenant.tenantId}`,
      {
        body: {
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
          scope: 'api/write',
        },
      },
    );
    const authorization = `Bearer ${(body as { access_token: string }).access_token}`;

    expectProblem(await callRestore(place, contentId, { authorization }), 401, 'unauthorized');
  });

  it.each(['Basic', 'Bearer'])(
    'for an unknown tenant exactly as for a wrong one, with %s',
    async (scheme) => {
      const valid = scheme === 'Basic' ? await basicOf(place) : await bearerOf(place, 'api/write');
      const unknown = await callRestore(place, contentId, { authorization: valid, tenantId: 'unknown' });
      const wrong = await callRestore(neighbour, contentId, { authorization: valid });

      const { requestId: one, ...body } = expectProblem(unknown, 401, 'unauthorized');
      const { requestId: other, ...wrongBody } = expectProblem(wrong, 401, 'unauthorized');
      expect(body).toEqual(wrongBody);
      expect(one).not.toBe(other);
    },
  );
});

it('answers 403 to a token that may only read, and sends nothing', async () => {
  const answer = await callRestore(place, contentId, { authorization: await bearerOf(place, 'api/read') });

  // RFC 6750, section 3.1
  const challenge = 'Bearer realm="latchkey", error="insufficient_scope", scope="api/write"';
  expectProblem(answer, 403, 'forbidden', { challenge });
  expect(await platformAnswers(place, contentId)).toEqual({});
});

it.each([
  ['GET', (url: string) => url],
  ['DELETE', (url: string) => url],
  ['POST', (url: string) => `${url}/again`],
  ['POST', (url: string) => url.replace('/contents/', '/content/')],
])('answers 404 to an unknown route: %s %s', async (method, change) => {
  const headers = { authorization: await basicOf(place) };

  const answer = await system.send(method, change(restoreUrl(place, contentId)), { headers });

  expectProblem(answer, 404, 'unknown_route');
});

it('answers 404 to an unknown content, and to one of a neighbour', async () => {
  const authorization = await basicOf(place);
  const foreign = neighbour.tenant.archivedContentIds[0]!;

  expectProblem(await callRestore(place, '0123456789', { authorization }), 404, 'content_not_found');
  expectProblem(await callRestore(place, foreign, { authorization }), 404, 'content_not_found');
  expect(await isArchived(neighbour, foreign)).toBe(true);
});

it.each(['Basic', 'Bearer'])(
  'restores once with %s: 200 with the items by rank, then 409',
  async (scheme) => {
    const authorization = scheme === 'Basic' ? await basicOf(place) : await bearerOf(place, 'api/write');

    const first = await callRestore(place, contentId, { authorization });
    const second = await callRestore(place, contentId, { authorization });

    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const item = (rank: number) => ({ rank, summary: `Part ${rank + 1}`, status: 'ok' });
    expect(JSON.parse(first.text)).toMatchObject({
      id: contentId,
      status: 'published',
      items: [item(0), item(1), { ...item(2), status: 'error', failureReason: expect.any(String) as string }],
    });
    expectProblem(second, 409, 'not_archived');
    expect(await platformAnswers(place, contentId)).toEqual({ 200: 1, 409: 1 });
    expect(await changesOf(place, contentId)).toHaveLength(1);
  },
);

it('accepts the token of before for as long as it lives', async () => {
  const before = await bearerOf(place, 'api/write');
  const rejectedTokenSha256 = createHash('sha256').update(before.slice('Bearer '.length)).digest('hex');
  expect(await ensure(place, 'api/write', { rejectedTokenSha256 })).toMatchObject({ refreshed: true });

  const answer = await callRestore(place, contentId, { authorization: before });

  expect(answer.status).toBe(200);
});
