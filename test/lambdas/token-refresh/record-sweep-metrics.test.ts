import { type TokenType } from '../../../core/deployment/platform';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { arnOf } from '../../support/aws/simulated-secrets-manager';
import { denialText } from '../../support/lambdas/denial-text';
import { keyOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import {
  credentialSecretOf,
  REFUSED,
  SCOPE_REFUSED,
  TokenFunctions,
  tokenSecretOf,
} from './support/token-functions';

const [A, B] = ['tenant-a', 'tenant-b'];
/** Not retried, so that no time passes. */
const OUTAGE = new PlatformUnavailableError('the token endpoint is not there', { isRetryable: false });

let functions: TokenFunctions;
beforeEach(() => {
  functions = new TokenFunctions();
  functions.load(A);
});

/** The metrics of a sweep, by default of two tenants. */
async function measured(tenantIds = [A, B], tokens?: TokenType[]) {
  await functions.sweep(tenantIds, { tokens });
  return functions.metrics.takeMeasured();
}
/** TokenLifeLeft of a sweep of one tenant, and then five minutes pass. */
async function nextLife(tenantId: string) {
  const { TokenLifeLeft } = await measured([tenantId]);
  functions.clock.advance(5 * MINUTE_MS);
  return TokenLifeLeft;
}
const store = (lifeLeftMin: number, tenantId: string) =>
  functions.store({ lifeLeftMs: lifeLeftMin * MINUTE_MS }, keyOf(tenantId));
const answerTo = (tenantId: string, error: TokenError) =>
  (functions.issuer.always = (request) => (request.tenantId === tenantId ? error : {}));
/** Deletes a tenant's secrets, as with its stack. */
const destroy = (tenantId: string) => {
  for (const name of [tokenSecretOf(keyOf(tenantId)), credentialSecretOf(keyOf(tenantId))]) {
    functions.destroyed.add(name);
    functions.secrets.account.secrets.delete(arnOf(name));
  }
};

test('a sweep records its duration, in ms', async () => {
  functions.issuer.latencyMs = 1_234;

  expect(await measured([A])).toMatchObject({ SweepDuration: 1_234 });
});

test('a sweep that ends with a bug records nothing, so that the missing metric raises an alarm', async () => {
  functions.tokens.read = () => Promise.reject(new TypeError('a bug'));

  await expect(measured()).rejects.toThrow(TypeError);
  expect(functions.metrics.measured).toEqual([]);
});

describe('TokenLifeLeft', () => {
  test('is that of the token that expires first, in seconds', async () => {
    functions.load(B);
    store(40, A);
    store(30, B);

    expect(await measured()).toMatchObject({ TokenLifeLeft: 1_800 });
  });

  test('decreases while the platform is down, is never below 0, and is that of the new token once it is renewed', async () => {
    store(19, A);
    answerTo(A, OUTAGE);

    for (const life of [1_140, 840, 540, 240, 0]) expect(await nextLife(A)).toBe(life);
    functions.issuer.always = () => ({});
    expect(await nextLife(A)).toBe(3_600);
  });

  test.each([
    ['the platform is down', () => answerTo(A, OUTAGE)],
    ['it cannot be written', () => functions.failWrites('AccessDeniedException')],
  ])('is 0 if a token is missing because %s', async (_, fail) => {
    store(60, B);
    fail();

    expect(await measured()).toMatchObject({ TokenLifeLeft: 0 });
  });

  test('leaves out tenants that were never loaded, until they are', async () => {
    expect(await measured()).toMatchObject({ TokenLifeLeft: 3_600 });
    expect(await measured([B])).not.toHaveProperty('TokenLifeLeft');

    functions.load(B);
    answerTo(B, OUTAGE);
    expect(await measured([B])).toMatchObject({ TokenLifeLeft: 0 });
  });

  test('leaves out tenants whose secrets were emptied, even if this process knew their tokens', async () => {
    await measured([A]);
    functions.unload(A);
    functions.secrets.create(tokenSecretOf(keyOf(A)));

    expect(await measured([A])).not.toHaveProperty('TokenLifeLeft');
  });

  test('leaves out tenants whose stack was destroyed, even if this process knew their tokens', async () => {
    functions.load(B);
    await measured();
    destroy(B);
    functions.clock.advance(50 * MINUTE_MS);

    expect(await measured()).toMatchObject({ TokenLifeLeft: 3_600 });
    expect(await measured()).toMatchObject({ TokenLifeLeft: 3_600 });
  });

  test('leaves out a tenant that is not deployed yet, also if AWS denies the names that do not exist', async () => {
    const secret = tokenSecretOf(keyOf(B));
    functions.load(B);
    destroy(B);
    functions.secrets.faults.push({
      operation: 'GetSecretValue',
      secret,
      name: 'AccessDeniedException',
      message: denialText('secretsmanager:GetSecretValue', secret),
    });

    expect(await measured()).toMatchObject({ TokenLifeLeft: 3_600 });
    expect(functions.metrics.faults).toEqual({ store_not_found: 1 });
  });

  test.each<[string, () => void]>([
    ['whose credential is gone', () => functions.unload(A)],
    [
      'that cannot be read any more',
      () => functions.failReads('ThrottlingException', { secret: tokenSecretOf(keyOf(A)) }),
    ],
  ])('still counts a token %s', async (_, lose) => {
    await measured([A]);
    lose();
    functions.clock.advance(50 * MINUTE_MS);

    expect(await measured([A])).toMatchObject({ TokenLifeLeft: 600 });
  });

  test('of a token that was never read is at most the least of normal operation, while the store is down', async () => {
    for (const life of [900, 600, 300, 0]) {
      functions.failReads('InternalServiceError', { secret: tokenSecretOf(keyOf(A)) });
      expect(await nextLife(A)).toBe(life);
    }

    expect(await nextLife(A)).toBe(3_600);
  });

  test.each(['InternalServiceError', 'ResourceNotFoundException'])(
    'is not recorded for a token that was never loaded while the store fails: %s',
    async (name) => {
      await measured([B]);
      functions.secrets.faults.push({ name, times: Infinity });

      expect(await measured([B])).not.toHaveProperty('TokenLifeLeft');
    },
  );
});

describe('a refused credential', () => {
  beforeEach(() => functions.load(B));

  test.each([
    ['the platform refuses the credential', REFUSED],
    ['the platform refuses the scope', SCOPE_REFUSED],
    ['the secret holds something else', new TokenError('not_loaded', '', { fault: 'credential_malformed' })],
  ])('is counted for the tenant, and left out of TokenLifeLeft, if %s', async (_, error) => {
    store(1, A);
    store(30, B);
    answerTo(A, error);

    expect(await measured()).toEqual({
      SweepDuration: 0,
      'CredentialRefused tenant-a': 1,
      TokenLifeLeft: 1_800,
    });
  });

  test('is counted once in each sweep, however many tokens the tenant has', async () => {
    answerTo(A, REFUSED);
    const tokens: TokenType[] = [
      { interface: 'content', scope: 'api/read' },
      { interface: 'content', scope: 'api/write' },
      { interface: 'webhooks', scope: 'api/all' },
    ];
    await functions.sweep([A], { tokens });
    await functions.sweep([A], { tokens });

    const once = [
      ['SweepDuration', 0],
      ['CredentialRefused tenant-a', 1],
    ];
    expect(functions.metrics.measured).toEqual([...once, ...once]);
    // One request per endpoint: in the second sweep the refusals are remembered.
    expect(functions.issuer.requests).toHaveLength(2);
  });

  test('is still counted during an outage, without its expired tokens, and is over after a renewal', async () => {
    store(-1, A);
    answerTo(A, REFUSED);
    await measured();
    functions.clock.advance(5 * MINUTE_MS);
    answerTo(A, OUTAGE);
    expect(await measured()).toMatchObject({ 'CredentialRefused tenant-a': 1, TokenLifeLeft: 3_300 });

    functions.clock.advance(5 * MINUTE_MS);
    functions.issuer.lifeMs = 25 * MINUTE_MS;
    answerTo(B, OUTAGE);
    expect(await measured()).toEqual({ SweepDuration: 0, TokenLifeLeft: 1_500 });
  });

  test('is over once the credential is gone and has no token', async () => {
    answerTo(A, REFUSED);
    await measured([A]);
    functions.unload(A);

    expect(await measured([A])).toEqual({ SweepDuration: 0 });
  });
});

test.each([
  [34, { life_short: 2 }],
  [35, {}],
])(
  'tokens issued for %d minutes count as %j in two sweeps, however many there are',
  async (minutes, faults) => {
    functions.load(B);
    functions.issuer.lifeMs = minutes * MINUTE_MS;

    await measured();
    await measured();

    expect(functions.issuer.requests).toHaveLength(2);
    expect(functions.metrics.faults).toEqual(faults);
  },
);
