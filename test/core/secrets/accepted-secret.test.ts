import crypto from 'node:crypto';

import { type AcceptedSecret, digestOf, findAccepted } from '../../../core/secrets/accepted-secret';

const NOW_MS = 1_000;
const accepted = (secret: string, acceptedUntilMs = NOW_MS + 1, mayWrite = true): AcceptedSecret => ({
  sha256: digestOf(secret),
  acceptedUntilMs,
  mayWrite,
  source: { name: 'api-key', version: 'current', versionId: 'v1' },
});
const find = (secrets: AcceptedSecret[], presented: string) =>
  findAccepted(secrets, digestOf(presented), NOW_MS);

afterEach(() => jest.restoreAllMocks());

// FIPS 180-4, the example of "abc"
test('a secret is kept as its SHA-256', () => {
  expect(digestOf('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test.each(['', 'k', 'key-2', 'KEY-1', 'key-1 ', 'key-1'.repeat(1_000)])(
  'a different secret, even in length, is not accepted: %.20j',
  (presented) => {
    expect(find([accepted('key-1')], presented)).toBeUndefined();
  },
);

test('finds the presented secret at any position', () => {
  const secrets = [accepted('a'), accepted('b'), accepted('c')];

  expect(['a', 'b', 'c'].map((secret) => find(secrets, secret))).toEqual(secrets);
});

test('a secret is not accepted from its expiry on, and hides none that still is', () => {
  const live = accepted('a');

  for (const untilMs of [0, NOW_MS, NaN]) {
    const expired = accepted('a', untilMs);
    expect(find([expired], 'a')).toBeUndefined();
    expect(find([live, expired], 'a')).toBe(live);
    expect(find([expired, live], 'a')).toBe(live);
  }
});

test('T6: compares all secrets in constant time, whichever matches or has expired', () => {
  const compare = jest.spyOn(crypto, 'timingSafeEqual');
  const secrets = [accepted('a'), accepted('b', 0), accepted('c')];

  for (const presented of ['a', 'b', 'c', 'x']) {
    compare.mockClear();
    find(secrets, presented);
    expect(compare).toHaveBeenCalledTimes(3);
  }
});
