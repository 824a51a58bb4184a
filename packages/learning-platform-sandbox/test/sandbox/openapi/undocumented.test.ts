import { PlatformUnderTest, TENANT } from '../platform-under-test';
import { type SeenAnswer, type SeenRequest, undocumented } from './undocumented';

const CONTENTS = '/staging/mea/rest/v1/contents';
const ID = '507f1f77bcf86cd799439011';
const ERROR = { status: 404, error: 'Not Found', message: 'there is none' };
const RECORD = {
  id: ID,
  status: 'published',
  items: [{ id: 'i', type: 'quiz', rank: 0, summary: 's', status: 'ok' }],
};

const restore: SeenRequest = {
  method: 'POST',
  path: `${CONTENTS}/${ID}/restore`,
  headers: {},
  json: { authorRef: 'a' },
};

function answer(status: number, body: unknown, headers: Record<string, string> = {}): SeenAnswer {
  return { status, headers: new Headers({ 'content-type': 'application/json', ...headers }), body };
}

test.each<[string, SeenRequest, SeenAnswer]>([
  ['a success', restore, answer(200, RECORD)],
  ['an error', restore, answer(404, ERROR)],
  ['an unexpected error', restore, answer(500, { ...ERROR, status: 500 })],
  ['a HEAD without a body', { ...restore, method: 'HEAD', path: CONTENTS }, answer(200, '')],
  ['no such operation', { ...restore, path: '/staging/mea/nowhere' }, answer(404, ERROR)],
  [
    'an acting user in headers',
    { ...restore, json: undefined, headers: { 'x-author-ref': 'a' } },
    answer(200, RECORD),
  ],
])('is documented: %s', (_, request, seen) => {
  expect(undocumented(request, seen)).toEqual([]);
});

test.each<[string, SeenRequest, SeenAnswer, RegExp]>([
  ['a status', restore, answer(418, ERROR), /status 418/],
  ['a failure of another status', restore, answer(503, ERROR), /status 503/],
  ['a field', restore, answer(200, { ...RECORD, owner: 'x' }), /additional properties: owner/],
  [
    'a field of an item',
    restore,
    answer(200, { ...RECORD, items: [{ ...RECORD.items[0], url: 'x' }] }),
    /items\/0 .*: url/,
  ],
  ['a missing field', restore, answer(200, { id: ID, status: 'published' }), /items/],
  ['a lifecycle status', restore, answer(200, { ...RECORD, status: 'created' }), /status/],
  ['another status in the body', restore, answer(404, { ...ERROR, status: 409 }), /status/],
  ['a missing challenge', restore, answer(401, { ...ERROR, status: 401 }), /www-authenticate is missing/i],
  ['a header', restore, answer(200, RECORD, { 'x-powered-by': 'x' }), /x-powered-by is not documented/],
  ['a media type', restore, answer(404, ERROR, { 'content-type': 'text/html' }), /text\/html/],
  ['a body', { ...restore, method: 'DELETE', path: `${CONTENTS}/${ID}` }, answer(204, ERROR), /a body/],
  ['an operation', { ...restore, path: `${CONTENTS}/${ID}/undo` }, answer(200, RECORD), /operation/],
  [
    'a success for an invalid request',
    { ...restore, json: {} },
    answer(200, RECORD),
    /request body of a success/,
  ],
])('is not documented: %s', (_, request, seen, finding) => {
  expect(undocumented(request, seen).join('\n')).toMatch(finding);
});

describe('a platform under test', () => {
  test('does not mistake the answer of a fault for one of the platform', async () => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'content', status: 418, times: 1 });

    const [fault, own] = [await platform.readWith({}), await platform.readWith({})];

    expect([fault, own]).toEqual([418, 401]);
  });

  test('matches the answers of concurrent requests with the right faults', async () => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'content', status: 418, match: TENANT });
    const headers = await platform.bearer('api/read');

    const statuses = await Promise.all([platform.readWith(headers), platform.readWith({})]);

    expect(statuses).toEqual([418, 401]);
  });
});
