import {
  parseStoredToken,
  serializeStoredToken,
  storedTokenOf,
  tokenStateOf,
} from '../../../core/tokens/stored-token';
import { KEY } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const DAY_MS = 86_400_000;
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

  const optional = {
    sameUntilMs: NOON_MS + 1,
    credentialCreatedAtMs: NOON_MS - 1,
    refusedCredentialVersionId: 'credential-2',
    refusedTokens: [{ sha256: 'a', expiresAtMs: NOON_MS }],
  };

  test('is read back as it was written, whatever other fields it has', () => {
    const text = serializeStoredToken({ ...TOKEN, ...optional }, KEY);

    expect(parseStoredToken(text, KEY)).toEqual({ ...TOKEN, ...optional });
    expect(
      parse({ note: 'by hand', sameUntil: 7, credentialCreatedAt: 'x', refusedCredentialVersionId: 7 }),
    ).toEqual(TOKEN);
  });

  test('is shown in a snapshot without the token, and without what an operator reported', () => {
    const refusedTokens = [
      ...optional.refusedTokens,
      { sha256: 'b', expiresAtMs: 0, byOperator: true as const },
    ];

    expect(tokenStateOf('version-1', TOKEN).token).toEqual({
      versionId: 'version-1',
      issuedAt: '2026-01-31T12:00:00.000Z',
      expiresAt: '2026-01-31T13:00:00.000Z',
      credentialVersionId: 'credential-1',
    });
    expect(tokenStateOf('version-1', { ...TOKEN, ...optional, refusedTokens }).token).toMatchObject({
      sameUntil: '2026-01-31T12:00:00.001Z',
      credentialCreatedAt: '2026-01-31T11:59:59.999Z',
      refusedCredentialVersionId: 'credential-2',
      refusedExpiresAt: ['2026-01-31T12:00:00.000Z'],
    });
  });

  test('lists the writes of the last 24 h and the new one', () => {
    const issued = { ...TOKEN, accessToken: 'new', isLifeAssumed: false };
    const credential = { credentialVersionId: 'credential-2' };

    expect(storedTokenOf(issued, credential, [NOON_MS - DAY_MS, NOON_MS - DAY_MS + 1], NOON_MS)).toEqual({
      ...TOKEN,
      accessToken: 'new',
      ...credential,
      writesMs: [NOON_MS - DAY_MS + 1, NOON_MS],
    });
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

  test.each([
    { accessToken: undefined },
    { accessToken: '' },
    { accessToken: 1 },
    { tokenType: 'MAC' },
    { credentialVersionId: undefined },
    { credentialVersionId: 1 },
    { expiresAt: undefined },
    { expiresAt: 'soon' },
    { expiresAt: NOON_MS },
    { issuedAt: undefined },
    { issuedAt: '' },
  ])('has %j', (change) => {
    expect(parse(change)).toBeUndefined();
  });

  test.each(['', 'null', '[]', '"text"', '{}'])('is %j', (text) => {
    expect(parseStoredToken(text, KEY)).toBeUndefined();
  });
});

test.each<[object, object]>([
  [{ writesMs: undefined }, { writesMs: [] }],
  [{ writesMs: 'x' }, { writesMs: [] }],
  [{ writesMs: [1, '2', null, {}, 3] }, { writesMs: [1, 3] }],
  [{ refusedTokens: 'x' }, {}],
  [{ refusedTokens: [null, { sha256: 1 }, { sha256: 'a', expiresAtMs: 'b' }] }, {}],
  [
    { refusedTokens: [{}, { sha256: 'c', expiresAtMs: 1 }] },
    { refusedTokens: [{ sha256: 'c', expiresAtMs: 1 }] },
  ],
])('lists with %j do not make an entry unreadable', (change, read) => {
  expect(parse(change)).toEqual({ ...TOKEN, ...read });
});
