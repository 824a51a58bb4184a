import {
  isSameCredential,
  parseApiKey,
  parseClientCredentials,
  parseCredential,
  renameFields,
  withFurtherFields,
} from '../../../core/secrets/credential-values';

const PAIR = '{"clientId":"id","clientSecret":"secret"}';
const KEY = '{"apiKey":"key","validUntil":"2030-01-01T00:00:00Z"}';

test('client credentials are two strings, and an API key is a key and a time; further fields are dropped', () => {
  expect(parseClientCredentials(PAIR.replace('}', ',"note":1}'))).toEqual({
    clientId: 'id',
    clientSecret: 'secret',
  });
  expect(parseApiKey(KEY)).toEqual({ apiKey: 'key', validUntil: '2030-01-01T00:00:00Z' });
});

test.each([
  undefined,
  '',
  'secret',
  'null',
  '[]',
  '{"clientId":"id"}',
  '{"clientId":"","clientSecret":"secret"}',
  '{"clientId":"id","clientSecret":7}',
  '{"apiKey":"key"}',
  '{"apiKey":"","validUntil":"2030-01-01T00:00:00Z"}',
  '{"apiKey":"key","validUntil":"soon"}',
  '{"apiKey":"key","validUntil":1893456000000}',
])('%j is neither', (text) => {
  expect(parseClientCredentials(text)).toBeUndefined();
  expect(parseApiKey(text)).toBeUndefined();
});

test('a credential is parsed by its kind', () => {
  expect(parseCredential('client-credentials', PAIR)?.kind).toBe('client-credentials');
  expect(parseCredential('api-key', KEY)?.kind).toBe('api-key');
  expect(parseCredential('client-credentials', KEY)).toBeUndefined();
  expect(parseCredential('api-key', PAIR)).toBeUndefined();
});

test.each<[string, string | undefined, string | undefined, boolean]>([
  ['with other formatting', PAIR, '{ "clientSecret":"secret", "clientId":"id", "note":1 }', true],
  ['of the same invalid text', 'x', 'x', true],
  ['of another secret', PAIR, PAIR.replace('secret"}', 'other"}'), false],
  ['that are invalid', 'x', 'y', false],
  ['that are missing', undefined, undefined, false],
  ['one of which is missing', PAIR, undefined, false],
])('compares values %s', (_, a, b, isSame) => {
  expect(isSameCredential('client-credentials', a, b)).toBe(isSame);
});

describe('a secret with field names of its own', () => {
  const NAMES = { clientId: 'id', clientSecret: 'secret', apiKey: 'key', validUntil: 'until' };
  const THEIRS = '{"id":"id","secret":"secret","clientId":"other","note":1}';

  test('is read by them, and by Latchkey’s for fields that are not listed', () => {
    expect(parseClientCredentials(THEIRS, NAMES)).toEqual({ clientId: 'id', clientSecret: 'secret' });
    expect(parseClientCredentials(THEIRS, { clientSecret: 'secret' })).toEqual({
      clientId: 'other',
      clientSecret: 'secret',
    });
    expect(parseApiKey('{"key":"key","until":"2030-01-01"}', NAMES)).toEqual({
      apiKey: 'key',
      validUntil: '2030-01-01',
    });
  });

  test('is compared and written by them', () => {
    const same = '{"secret":"secret","id":"id"}';

    expect(isSameCredential('client-credentials', THEIRS, same, NAMES)).toBe(true);
    expect(isSameCredential('client-credentials', THEIRS, same)).toBe(false);
    expect(renameFields({ clientId: 'id', clientSecret: 'secret' }, NAMES)).toEqual(JSON.parse(same));
    expect(renameFields({ clientId: 'id' })).toEqual({ clientId: 'id' });
  });
});

test.each<[string, string | undefined, string]>([
  ['no other value', undefined, PAIR],
  ['a value that is not JSON', 'secret', PAIR],
  ['a value with the same fields', '{"clientSecret":"old","clientId":"old"}', PAIR],
  [
    'a value with more fields',
    '{"clientId":"old","note":{"by":"us"}}',
    '{"clientId":"id","clientSecret":"secret","note":{"by":"us"}}',
  ],
])('a value keeps its own fields beside %s', (_, other, kept) => {
  expect(withFurtherFields(PAIR, other)).toBe(kept);
});
