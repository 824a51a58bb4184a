import { parseStoredToken, serializeStoredToken, storedTokenOf } from '../../../core/tokens/stored-token';
import { KEY } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const TOKEN = {
  accessToken: 'token',
  issuedAtMs: NOON_MS,
  expiresAtMs: NOON_MS + 3_600_000,
  credentialVersionId: 'credential-1',
  writesMs: [NOON_MS],
};
const VALUE = JSON.parse(serializeStoredToken(TOKEN, KEY)) as Record<string, unknown>;
const parse = (change: object) => parseStoredToken(JSON.stringify({ ...VALUE, ...change }), KEY);

describe('the value of a token secret', () => {
  test('has the fields of the contract, all times in ISO 8601 UTC', () => {
    expect(VALUE).toEqual({
      accessToken: 'token',
      tokenType: 'Bearer',
      tenantId: 'eu-west-2_Acme',
      environment: 'staging',
      platformRegion: 'mea',
      interface: 'content',
      scope: 'api/read',
      issuedAt: '2026-01-31T12:00:00.000Z',
      expiresAt: '2026-01-31T13:00:00.000Z',
      credentialVersionId: 'credential-1',
      writesMs: [NOON_MS],
    });
  });

  test('is read back as it was written', () => {
    expect(parse({})).toEqual(TOKEN);
  });

  test('may hold further fields', () => {
    expect(parse({ note: 'by hand' })).toEqual(TOKEN);
  });
});

describe('an invalid entry', () => {
  test.each(['environment', 'platformRegion', 'tenantId', 'interface', 'scope'])(
    'is of another %s',
    (field) => {
      expect(parse({ [field]: 'other' })).toBeUndefined();
      expect(parse({ [field]: undefined })).toBeUndefined();
    },
  );

  test.each<[string, object]>([
    ['no token', { accessToken: undefined }],
    ['an empty token', { accessToken: '' }],
    ['a token that is not a string', { accessToken: 1 }],
    ['another type of token', { tokenType: 'MAC' }],
    ['no credential version', { credentialVersionId: undefined }],
    ['a credential version that is not a string', { credentialVersionId: 1 }],
    ['no expiry', { expiresAt: undefined }],
    ['an invalid expiry', { expiresAt: 'soon' }],
    ['an expiry that is a number', { expiresAt: NOON_MS }],
    ['no issue time', { issuedAt: undefined }],
    ['an invalid issue time', { issuedAt: '' }],
  ])('has %s', (_, change) => {
    expect(parse(change)).toBeUndefined();
  });

  test.each(['', '{', 'null', '[]', '"text"', '7', 'true', '{}'])('is %j', (text) => {
    expect(parseStoredToken(text, KEY)).toBeUndefined();
  });
});

describe('the write times of an entry', () => {
  test.each<[string, unknown, number[]]>([
    ['absent', undefined, []],
    ['not a list', 'x', []],
    ['a list with invalid times', [1, '2', null, {}, 3], [1, 3]],
  ])('that are %s do not make it unreadable', (_, writesMs, read) => {
    expect(parse({ writesMs })?.writesMs).toEqual(read);
  });

  test.each<[string, unknown, unknown]>([
    ['no list', 'x', undefined],
    ['empty', [], undefined],
    [
      'partly malformed',
      [null, { sha256: 1 }, { sha256: 'a', expiresAtMs: 'b' }, { sha256: 'c', expiresAtMs: 1 }],
      [{ sha256: 'c', expiresAtMs: 1 }],
    ],
  ])('refused tokens that are %s do not make it unreadable', (_, refusedTokens, read) => {
    expect(parse({ refusedTokens })?.refusedTokens).toEqual(read);
  });

  test('are those of the last 24 h and the new one', () => {
    const issued = { ...TOKEN, accessToken: 'new', isLifeAssumed: false };
    const dayMs = 86_400_000;

    const stored = storedTokenOf(
      issued,
      { credentialVersionId: 'credential-2' },
      [NOON_MS - dayMs, NOON_MS - dayMs + 1],
      NOON_MS,
    );

    expect(stored).toEqual({
      accessToken: 'new',
      issuedAtMs: TOKEN.issuedAtMs,
      expiresAtMs: TOKEN.expiresAtMs,
      credentialVersionId: 'credential-2',
      writesMs: [NOON_MS - dayMs + 1, NOON_MS],
    });
  });
});
