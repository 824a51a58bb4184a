import { type Place, placeOf } from './support/journeys';
import { expectProblem } from './support/problem-answer';
import { basicOf, callRestore, changesOf, isArchived, platformAnswers } from './support/restore-calls';
import { RunningSystem } from './support/running-system';

/** Who changes a content in the platform's audit trail when only a collaboration was named. */
const SYSTEM_ACCOUNT = 'system account';

let system: RunningSystem;
let place: Place;
let neighbour: Place;
let contentId: string;
let authorization: string;

beforeAll(async () => {
  system = await RunningSystem.start();
  place = placeOf(system, 'staging', 'global');
  neighbour = { ...place, tenant: place.deployment.tenants[1]! };
  contentId = place.tenant.archivedContentIds[0]!;
  authorization = await basicOf(place);
});
afterAll(() => system.stop());
beforeEach(() => system.control('POST', '/reset'));

describe('a request that is refused before anything is sent', () => {
  /** JSON of an acting user that is that long. */
  const padded = (bytes: number) => {
    const text = JSON.stringify({ authorRef: place.tenant.authorRefs[0] });
    return text + ' '.repeat(bytes - text.length);
  };

  it.each(['{"authorRef":', '', 'authorRef=1', '{authorRef: "a"}'])('400 for %j', async (body) => {
    expectProblem(await callRestore(place, contentId, { authorization, body }), 400, 'malformed_json');
    expect(await platformAnswers(place, contentId)).toEqual({});
  });

  it.each([['text/plain'], [undefined], ['application/json; charset=latin1'], ['application/xml']])(
    '415 for content type %s',
    async (contentType) => {
      const answer = await callRestore(place, contentId, { authorization, contentType });

      expectProblem(answer, 415, 'unsupported_media_type');
      expect(await platformAnswers(place, contentId)).toEqual({});
    },
  );

  it('413 for 16 KiB and one byte, though its JSON is right; one byte less is restored', async () => {
    const over = await callRestore(place, contentId, { authorization, body: padded(16 * 1024 + 1) });

    expectProblem(over, 413, 'body_too_large');
    expect(await platformAnswers(place, contentId)).toEqual({});
    const whole = await callRestore(place, contentId, { authorization, body: padded(16 * 1024) });
    expect(whole.status).toBe(200);
  });

  // API Gateway's own, which no gateway response can replace.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
  it('413 of API Gateway for more than 10 MB', async () => {
    const body = padded(10 * 1024 * 1024 + 1);

    const answer = await callRestore(place, contentId, { authorization, body });

    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toEqual({ message: expect.any(String) as string });
    expect(await platformAnswers(place, contentId)).toEqual({});
  });

  it.each([
    ['neither reference', {}],
    ['a field that is not known', { authorRef: 'a', also: 'b' }],
    ['an empty reference', { authorRef: '' }],
    ['a reference of another type', { authorRef: 1 }],
    ['a reference with a line break', { authorRef: 'a\r\nx-collaboration-id: b' }],
    ['a list', []],
  ])('422 for %s', async (_, body) => {
    expectProblem(await callRestore(place, contentId, { authorization, body }), 422, 'invalid_request');
    expect(await platformAnswers(place, contentId)).toEqual({});
  });

  it.each(['%2E%2E', 'a%2Fb', 'a%0D%0Ab', 'a'.repeat(129)])('422 for the content id %s', async (id) => {
    expectProblem(await callRestore(place, id, { authorization }), 422, 'invalid_request');
    expect(await system.control('GET', '/counters')).toEqual({ requests: [] });
  });
});

describe('the acting user', () => {
  const refs = ({ tenant }: Place) => ({
    authorRef: tenant.authorRefs[1]!,
    collaborationId: tenant.collaborationIds[1]!,
  });

  it('with both references: the collaboration owns the content, the author acts', async () => {
    const { authorRef, collaborationId } = refs(place);

    const answer = await callRestore(place, contentId, {
      authorization,
      body: { authorRef, collaborationId },
    });

    expect(answer.status).toBe(200);
    expect(await changesOf(place, contentId)).toEqual([
      expect.objectContaining({ operation: 'restore', actingUser: authorRef, owner: collaborationId }),
    ]);
  });

  it('with a collaboration alone: it owns the content, and the system account is recorded', async () => {
    const { collaborationId } = refs(place);

    const answer = await callRestore(place, contentId, { authorization, body: { collaborationId } });

    expect(answer.status).toBe(200);
    expect(await changesOf(place, contentId)).toEqual([
      expect.objectContaining({ actingUser: SYSTEM_ACCOUNT, owner: collaborationId }),
    ]);
  });

  it('with an author alone: the author acts, and the owner stays', async () => {
    const { authorRef } = refs(place);
    const owner = place.tenant.authorRefs[0]!;

    const answer = await callRestore(place, contentId, { authorization, body: { authorRef } });

    expect(answer.status).toBe(200);
    expect(await changesOf(place, contentId)).toEqual([
      expect.objectContaining({ actingUser: authorRef, owner }),
    ]);
  });

  it.each([
    ['an unknown author', () => ({ authorRef: 'unknown' })],
    ['an unknown collaboration', () => ({ collaborationId: 'unknown' })],
    ['an author of a neighbour', () => ({ authorRef: refs(neighbour).authorRef })],
    ['a collaboration of a neighbour', () => ({ collaborationId: refs(neighbour).collaborationId })],
    ['a foreign author beside an own collaboration', () => ({ ...refs(place), authorRef: 'foreign' })],
  ])('%s is 422, and nothing is written', async (_, body) => {
    const answer = await callRestore(place, contentId, { authorization, body: body() });

    expectProblem(answer, 422, 'rejected_by_platform');
    expect(await platformAnswers(place, contentId)).toEqual({ 422: 1 });
    expect(await changesOf(place, contentId)).toEqual([]);
    expect(await isArchived(place, contentId)).toBe(true);
  });
});
