import { interpretKeyAnswer } from '../../../cli/credentials/key-answer';

const KEY = 'Xk4generatedCanary';
const data = (fields: object) => JSON.stringify({ data: { generateApiKey: fields } });
const errors = (...list: object[]) => JSON.stringify({ data: null, errors: list });

// The platform's specification, "Generated API key (GraphQL result)"
test('an answer with both fields is a key, its time in UTC', () => {
  const body = data({ apiKey: KEY, validUntil: '2027-03-31T02:00:00+02:00' });

  const read = interpretKeyAnswer({ status: 200, body });

  expect(read).toEqual({ kind: 'generated', value: { apiKey: KEY, validUntil: '2027-03-31T00:00:00.000Z' } });
});

// https://spec.graphql.org/October2021/#sec-Response-Format and the specification's silence on errors
test.each<[string, number, string, string]>([
  ['a message that quotes', 200, errors({ message: `boom ${KEY}` }), 'failed'],
  ['a code that quotes', 200, errors({ extensions: { code: KEY } }), 'failed'],
  [
    'errors next to a key',
    200,
    data({ apiKey: KEY, validUntil: '2027-01-01' }).replace(/}$/, ',"errors":[]}'),
    'failed',
  ],
  ['a code of refusal', 200, errors({ message: 'no', extensions: { code: 'UNAUTHENTICATED' } }), 'refused'],
  ['a refusal as 400', 400, errors({ message: 'not allowed' }), 'refused'],
  ['a wrong address', 404, '<html>', 'failed'],
  ['403', 403, '', 'refused'],
  ['429', 429, '', 'unavailable'],
  ['500', 500, errors({ message: 'x' }), 'unknown'],
  ['a redirect', 307, '', 'unknown'],
  ['HTML with 200', 200, '<html>', 'unknown'],
  ['an empty key', 200, data({ apiKey: '', validUntil: '2027-01-01' }), 'unknown'],
  ['a key that is not a text', 200, data({ apiKey: 7, validUntil: '2027-01-01' }), 'unknown'],
  ['a validity that is not a time', 200, data({ apiKey: KEY, validUntil: 'forever' }), 'unknown'],
  ['no validity', 200, data({ apiKey: KEY }), 'unknown'],
])('%s is recognized, and never quoted', (_, status, body, kind) => {
  const read = interpretKeyAnswer({ status, body });

  expect(read.kind).toBe(kind);
  expect(JSON.stringify(read)).not.toContain(KEY.slice(0, 8));
});
