import { Authenticator } from '../../../lambdas/authorizer/authenticate';
import { type AcceptedSecret, digestOf } from '../../../core/secrets/accepted-secret';
import { StoreError } from '../../../core/secrets/store-error';
import { type AcceptedSecrets } from '../../../lambdas/shared/ports';
import { AcceptedInMemory } from '../../support/lambdas/restore-accepted-secrets';
import { restoringDeploymentOf } from '../../support/lambdas/restore-functions';
import { VirtualClock } from '../../support/lambdas/virtual-clock';

const TENANT = 'eu-west-2_Acme';
const OTHER = 'eu-west-2_Other';
const UNKNOWN = 'eu-west-2_Unknown';
const REFUSED = { kind: 'unauthenticated' };

const basic = (tenantId: string, apiKey: string) => [
  `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`,
];
const bearer = (token: string) => [`Bearer ${token}`];

/** The caller that presented this secret. */
const callerBy = (scheme: string, secret: string) => ({
  scheme,
  caller: `name of ${secret}`,
  callerVersion: 'current',
  callerVersionId: `version of ${secret}`,
});

let clock: VirtualClock;
let secrets: AcceptedInMemory;
let authenticator: Authenticator;
beforeEach(() => {
  clock = new VirtualClock();
  secrets = new AcceptedInMemory();
  authenticator = new Authenticator(restoringDeploymentOf([TENANT, OTHER]), secrets, clock);
  secrets.keys.set(TENANT, [accepted('key')]);
  secrets.keys.set(OTHER, [accepted('other-key')]);
  secrets.tokens.set(TENANT, [accepted('token'), accepted('read-token', { mayWrite: false })]);
  secrets.tokens.set(OTHER, [accepted('other-token')]);
});

function accepted(secret: string, { lastsMs = 3_600_000, mayWrite = true } = {}): AcceptedSecret {
  return {
    sha256: digestOf(secret),
    acceptedUntilMs: clock.nowMs() + lastsMs,
    mayWrite,
    source: { name: `name of ${secret}`, version: 'current', versionId: `version of ${secret}` },
  };
}

/** An authenticator whose lookups of tokens do this. */
const lookingUp = (contentTokens: AcceptedSecrets['contentTokens']) =>
  new Authenticator(restoringDeploymentOf([TENANT]), { apiKeys: jest.fn(), contentTokens }, clock);
const withKey = (tenantId: string, apiKey: string) =>
  authenticator.authenticate(tenantId, basic(tenantId, apiKey));
const present = (token: string, tenantId = TENANT) => authenticator.authenticate(tenantId, bearer(token));
const failing = () => (secrets.failure = new StoreError('throttled', 'secretsmanager:GetSecretValue failed'));

test('an API key authenticates its tenant, until it expires', async () => {
  secrets.keys.set(TENANT, [accepted('key', { lastsMs: 1_000 })]);

  expect(await withKey(TENANT, 'key')).toEqual({ kind: 'allowed', caller: callerBy('basic', 'key') });
  expect(secrets.calls).toEqual([`apiKeys staging mea ${TENANT}`]);
  clock.advance(999);
  expect((await withKey(TENANT, 'key')).kind).toBe('allowed');
  clock.advance(1);
  expect(await withKey(TENANT, 'key')).toEqual(REFUSED);
});

test('a token with a write scope authenticates the tenant of the path', async () => {
  expect(await present('token')).toEqual({ kind: 'allowed', caller: callerBy('bearer', 'token') });
  expect(secrets.calls).toEqual([`contentTokens staging mea ${TENANT}`]);
});

test('a token with a read scope has an insufficient scope', async () => {
  expect(await present('read-token')).toEqual({ kind: 'insufficient_scope', scheme: 'bearer' });
});

test.each<[string, string, string[]]>([
  ['a wrong key', TENANT, basic(TENANT, 'wrong')],
  ['the key of another tenant', TENANT, basic(TENANT, 'other-key')],
  ['a key under another tenant’s name', TENANT, basic(OTHER, 'key')],
  ['a key of another tenant than the path’s', TENANT, basic(OTHER, 'other-key')],
  ['a key, with an unknown tenant in the path,', UNKNOWN, basic(TENANT, 'key')],
  ['an unknown token', TENANT, bearer('stranger')],
  ['another tenant’s token', TENANT, bearer('other-token')],
])('%s authenticates nobody', async (_, tenantId, authorization) => {
  expect(await authenticator.authenticate(tenantId, authorization)).toEqual(REFUSED);
});

test.each<[string, string[]]>([
  ['no header', []],
  ['two headers', [...basic(TENANT, 'key'), ...bearer('token')]],
])('a caller with %s is refused without a lookup', async (_, authorization) => {
  expect(await authenticator.authenticate(TENANT, authorization)).toEqual(REFUSED);
  expect(secrets.calls).toEqual([]);
});

const WRONG: [string, (tenantId: string) => string[]][] = [
  ['Basic', (tenantId) => basic(tenantId, 'wrong')],
  ['Bearer', () => bearer('wrong')],
];

describe('T6: an unknown tenant', () => {
  test.each(WRONG)(
    'gets the answer of a wrong credential, after as many lookups: %s',
    async (_, authorization) => {
      const callsFor = async (tenantId: string) => {
        const lookups = new AcceptedInMemory();
        const fresh = new Authenticator(restoringDeploymentOf([TENANT, OTHER]), lookups, clock);
        const answers = [];
        for (let n = 0; n < 6; n += 1) {
          answers.push(await fresh.authenticate(tenantId, authorization(tenantId)));
          clock.advance(700);
        }
        return { answers, calls: lookups.calls.map((call) => call.split(' ')[0]) };
      };

      const unknown = await callsFor(UNKNOWN);

      expect(unknown).toEqual(await callsFor(TENANT));
      expect(unknown.answers).toEqual(Array(6).fill(REFUSED));
      expect(unknown.calls).toHaveLength(2);
    },
  );

  test.each([basic(UNKNOWN, 'key'), basic(UNKNOWN, 'other-key'), bearer('token'), bearer('other-token')])(
    'is refused with a credential of any tenant that could be looked up in its place: %s',
    async (header) => {
      expect(await authenticator.authenticate(UNKNOWN, [header])).toEqual(REFUSED);
    },
  );

  test('causes a lookup of one of the tenants in its place', async () => {
    for (let n = 0; n < 50; n += 1) {
      await authenticator.authenticate(`unknown-${n}`, bearer('wrong'));
      clock.advance(2_000);
    }

    expect(new Set(secrets.calls)).toEqual(
      new Set([TENANT, OTHER].map((name) => `contentTokens staging mea ${name}`)),
    );
  });

  test('is refused if no tenant is declared at all', async () => {
    const empty = new Authenticator(restoringDeploymentOf([]), secrets, clock);

    expect(await empty.authenticate(UNKNOWN, basic(UNKNOWN, 'key'))).toEqual(REFUSED);
  });
});

describe('a lookup', () => {
  test('ends the access of a revoked credential after 5 s, even if the wall clock is set back by an hour', async () => {
    await present('token');
    secrets.tokens.set(TENANT, []);
    clock.set(-3_600_000);

    clock.advance(4_999);
    expect((await present('token')).kind).toBe('allowed');
    expect(secrets.calls).toHaveLength(1);
    clock.advance(1);
    expect(await present('token')).toEqual(REFUSED);
  });

  test('does not accept a token that expires during it', async () => {
    secrets.tokens.set(TENANT, [accepted('token', { lastsMs: 1_000 })]);
    const asked = lookingUp((tenant) => {
      clock.advance(1_000);
      return secrets.contentTokens(tenant);
    });

    expect(await asked.authenticate(TENANT, bearer('token'))).toEqual(REFUSED);
  });

  test('is repeated right after one of a known key, and finds a key that was promoted in between', async () => {
    await withKey(TENANT, 'key');
    secrets.keys.set(TENANT, [accepted('promoted'), accepted('key')]);

    expect((await withKey(TENANT, 'promoted')).kind).toBe('allowed');
    expect(secrets.calls).toHaveLength(2);
  });

  test('happens at most every 2 s for guesses, besides those for a known key', async () => {
    for (let n = 0; n < 600; n += 1) {
      await present(`guess-${n}`);
      expect((await present('token')).kind).toBe('allowed');
      clock.advance(100);
    }

    expect(secrets.calls).toHaveLength(30);
  });

  test('of one tenant or scheme does not delay another', async () => {
    await present('guess');

    expect((await present('other-token', OTHER)).kind).toBe('allowed');
    expect((await withKey(TENANT, 'key')).kind).toBe('allowed');
    expect(secrets.calls).toHaveLength(3);
  });

  test('that fails is an error, not a refusal of the credential', async () => {
    failing();

    await expect(present('token')).rejects.toBe(secrets.failure);
    await expect(present('wrong')).rejects.toBe(secrets.failure);
    await expect(present('wrong', UNKNOWN)).rejects.toBe(secrets.failure);
    secrets.failure = undefined;
    clock.advance(1_000);
    expect((await present('token')).kind).toBe('allowed');
  });

  test('that fails within 10 s of one that found the credential does not refuse its caller', async () => {
    await present('token');
    failing();

    for (let ageMs = 0; ageMs < 10_000; ageMs += 100) {
      expect((await present('token')).kind).toBe('allowed');
      clock.advance(100);
    }
    await expect(present('token')).rejects.toBe(secrets.failure);
  });

  test('that fails only after 10 s does not accept the cached secret', async () => {
    const asked = lookingUp((tenant) => {
      if (secrets.calls.length > 0) {
        clock.advance(5_000);
        failing();
      }
      return secrets.contentTokens(tenant);
    });
    expect((await asked.authenticate(TENANT, bearer('token'))).kind).toBe('allowed');
    clock.advance(5_000);

    await expect(asked.authenticate(TENANT, bearer('token'))).rejects.toBe(secrets.failure);
  });

  test('that fails is not repeated for a second, even for a credential that was not looked up', async () => {
    failing();

    for (let n = 0; n < 100; n += 1) {
      await expect(present(n % 2 === 0 ? 'token' : `guess-${n}`)).rejects.toBe(secrets.failure);
      clock.advance(100);
    }

    expect(secrets.calls).toHaveLength(10);
  });
});

describe('requests at once', () => {
  const fifty = (text: string) => Array<string>(50).fill(text);
  const fiftyTimes = (token: string, tenantId = TENANT) =>
    Promise.all(fifty(token).map(async () => (await present(token, tenantId)).kind));

  test.each([
    ['with a valid token', TENANT, 'token', 'allowed'],
    ['with a wrong token', TENANT, 'wrong', 'unauthenticated'],
    ['for an unknown tenant', UNKNOWN, 'token', 'unauthenticated'],
  ])('share one lookup: %s', async (_, tenantId, token, kind) => {
    expect(await fiftyTimes(token, tenantId)).toEqual(fifty(kind));
    expect(secrets.calls).toHaveLength(1);
  });

  test('share the failure of one lookup', async () => {
    failing();

    const answers = await Promise.allSettled(fifty('token').map((token) => present(token)));

    expect(answers).toEqual(fifty('').map(() => ({ status: 'rejected', reason: secrets.failure })));
    expect(secrets.calls).toHaveLength(1);
  });

  test('share a second lookup if the first began before a key was promoted', async () => {
    const first = present('token');
    secrets.tokens.set(TENANT, [accepted('renewed'), accepted('token')]);

    expect(await fiftyTimes('renewed')).toEqual(fifty('allowed'));
    expect((await first).kind).toBe('allowed');
    expect(secrets.calls).toHaveLength(2);
  });
});

test('a request is not answered from another one’s lookup that took 10 s: its credential may have been revoked', async () => {
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const asked = lookingUp(async (tenant) => {
    const found = secrets.contentTokens(tenant);
    if (secrets.calls.length === 1) await held;
    return found;
  });
  const first = asked.authenticate(TENANT, bearer('token'));
  clock.advance(9_000);
  secrets.tokens.set(TENANT, []);
  const second = asked.authenticate(TENANT, bearer('token'));
  clock.advance(1_000);
  release();

  expect((await first).kind).toBe('allowed');
  expect(await second).toEqual(REFUSED);
});

describe('T19: a flood of requests without a valid credential', () => {
  const NAMES = Array.from({ length: 1_000 }, (_, n) => `eu-west-2_${n}`);

  /** Sends one request every 50 ms, which is 20 a second. */
  async function flood(names: readonly string[], authorization: (tenantId: string) => string[]) {
    for (const name of names) {
      expect(await authenticator.authenticate(name, authorization(name))).toEqual(REFUSED);
      clock.advance(50);
    }
  }

  test.each(WRONG)('costs as many lookups with 1,000 names as with one: %s', async (_, authorization) => {
    await flood(Array<string>(1_000).fill(TENANT), authorization);
    const ofOneName = secrets.calls.length;
    secrets.calls.length = 0;

    await flood(NAMES, authorization);

    expect(ofOneName).toBe(25);
    expect(secrets.calls).toHaveLength(25);
  });

  test.each(WRONG)('evicts no tenant: %s', async (_, authorization) => {
    await present('token');
    for (const name of NAMES) await authenticator.authenticate(name, authorization(name));
    failing();

    expect((await present('token')).kind).toBe('allowed');
  });

  test('costs one lookup in 10 s while lookups fail, since no tenant waits for it', async () => {
    failing();

    for (const name of NAMES) {
      await expect(authenticator.authenticate(name, bearer('wrong'))).rejects.toBe(secrets.failure);
      clock.advance(50);
    }

    expect(secrets.calls).toHaveLength(5);
  });
});
