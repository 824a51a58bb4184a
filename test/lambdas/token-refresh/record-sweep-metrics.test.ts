import { type TokenType } from '../../../core/deployment/platform';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { denialText } from '../../support/lambdas/denial-text';
import { arnOf } from '../../support/aws/simulated-secrets-manager';
import { deploymentOf, keyOf, MINUTE_MS } from '../../support/lambdas/token-functions';
import { credentialSecretOf, tokenSecretOf, TokenFunctions } from './support/token-functions';

const TWO = ['tenant-a', 'tenant-b'];
const REFUSED = new TokenError('credential_refused', 'refused');
/** Not retried, so that no time passes. */
const OUTAGE = new PlatformUnavailableError('the token endpoint is not there', { isRetryable: false });
const SCOPES: TokenType[] = [
  { interface: 'content', scope: 'api/read' },
  { interface: 'content', scope: 'api/write' },
  { interface: 'webhooks', scope: 'api/all' },
];

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

const load = (...tenantIds: string[]) => tenantIds.forEach((tenantId) => functions.load(tenantId));
/** Deletes a tenant's secrets, as with its stack. */
const destroy = (tenantId: string) => {
  for (const name of [tokenSecretOf(keyOf(tenantId)), credentialSecretOf(keyOf(tenantId))]) {
    functions.secrets.create(name);
    functions.secrets.account.secrets.delete(arnOf(name));
  }
};
const answerTo = (tenantId: string, error: TokenError) =>
  (functions.issuer.always = (request) => (request.tenantId === tenantId ? error : {}));

function sweepOf(tenantIds: readonly string[], tokens: TokenType[]) {
  const tenants = tenantIds.map((tenantId) => ({ tenantId, tokens, adopted: {} }));
  return sweep(functions, deploymentOf([], { tenants }), functions.clock.monotonicMs() + 4 * MINUTE_MS);
}

/** The metrics of a sweep of one content token per tenant. */
async function measuredIn(tenantIds = TWO) {
  await sweepOf(tenantIds, SCOPES.slice(0, 1));
  return functions.metrics.takeMeasured();
}

test('a sweep records its duration, in ms', async () => {
  load('tenant-a');
  functions.issuer.latencyMs = 1_234;

  expect(await measuredIn(['tenant-a'])).toMatchObject({ SweepDuration: 1_234 });
});

test('a sweep that ends with a bug records nothing, so that the missing metric raises an alarm', async () => {
  load(...TWO);
  functions.tokens.read = () => Promise.reject(new TypeError('a bug'));

  await expect(measuredIn()).rejects.toThrow(TypeError);
  expect(functions.metrics.measured).toEqual([]);
});

test('a renewal for a caller records no sweep metrics', async () => {
  load(...TWO);
  answerTo('tenant-a', REFUSED);
  const endsAtMs = functions.clock.monotonicMs() + MINUTE_MS;

  for (const tenantId of TWO) {
    const request = { key: keyOf(tenantId), minValidityMs: 0, rejectedTokenSha256: undefined };
    await ensure(functions, { ...request }, endsAtMs);
  }

  expect(functions.metrics.measured).toEqual([]);
});

describe('TokenLifeLeft', () => {
  test('is that of the token that expires first, in seconds', async () => {
    load(...TWO);
    functions.store({ lifeLeftMs: 40 * MINUTE_MS }, keyOf('tenant-a'));
    functions.store({ lifeLeftMs: 30 * MINUTE_MS }, keyOf('tenant-b'));

    expect(await measuredIn()).toMatchObject({ TokenLifeLeft: 1_800 });
  });

  test('is that of the new token after a renewal', async () => {
    load('tenant-a');
    functions.store({ lifeLeftMs: MINUTE_MS }, keyOf('tenant-a'));

    expect(await measuredIn(['tenant-a'])).toMatchObject({ TokenLifeLeft: 3_600 });
  });

  test('decreases while the platform is down, and is never below 0', async () => {
    load('tenant-a');
    functions.store({ lifeLeftMs: 19 * MINUTE_MS }, keyOf('tenant-a'));
    answerTo('tenant-a', OUTAGE);

    const lives: (number | undefined)[] = [];
    for (let sweeps = 0; sweeps < 5; sweeps += 1) {
      lives.push((await measuredIn(['tenant-a'])).TokenLifeLeft);
      functions.clock.advance(5 * MINUTE_MS);
    }

    expect(lives).toEqual([1_140, 840, 540, 240, 0]);
  });

  test('is 0 if a new process finds an expired token', async () => {
    load('tenant-a');
    functions.store({ lifeLeftMs: -MINUTE_MS }, keyOf('tenant-a'));
    answerTo('tenant-a', OUTAGE);

    expect(await measuredIn(['tenant-a'])).toMatchObject({ TokenLifeLeft: 0 });
  });

  test.each([
    ['the platform is down', () => answerTo('tenant-a', OUTAGE)],
    ['it cannot be written', () => functions.failWrites('AccessDeniedException')],
  ])('is 0 if a token is missing because %s', async (_, fail) => {
    load(...TWO);
    functions.store({}, keyOf('tenant-b'));
    fail();

    expect(await measuredIn()).toMatchObject({ TokenLifeLeft: 0 });
  });

  test('leaves out tenants that were never loaded, and is not recorded if none was', async () => {
    load('tenant-a');

    expect(await measuredIn()).toMatchObject({ TokenLifeLeft: 3_600 });
    expect(await measuredIn(['tenant-b'])).not.toHaveProperty('TokenLifeLeft');
  });

  test('leaves out tenants whose secrets were emptied, even if this process knew their tokens', async () => {
    load('tenant-a');
    await measuredIn(['tenant-a']);
    functions.unload('tenant-a');
    functions.secrets.create(tokenSecretOf(keyOf('tenant-a')));

    expect(await measuredIn(['tenant-a'])).not.toHaveProperty('TokenLifeLeft');
  });

  test('leaves out tenants whose stack was destroyed, even if this process knew their tokens', async () => {
    load(...TWO);
    await measuredIn();
    destroy('tenant-b');
    functions.clock.advance(50 * MINUTE_MS);

    const lives = [await measuredIn(), await measuredIn()].map(({ TokenLifeLeft }) => TokenLifeLeft);

    expect(lives).toEqual([3_600, 3_600]);
  });

  describe('if AWS denies names that do not exist, because permissions on ARNs do not cover them', () => {
    const FAULTS = { store_access_denied: 1 };
    const denied = (operation: string, resource: string) => ({
      operation,
      name: 'AccessDeniedException',
      times: Infinity,
      message: denialText(`secretsmanager:${operation}`, resource),
    });
    const token = tokenSecretOf(keyOf('tenant-b'));

    test('a tenant that is not deployed yet counts as no missing permission', async () => {
      load(...TWO);
      destroy('tenant-b');
      functions.secrets.faults.push({ ...denied('GetSecretValue', token), secret: token });

      expect(await measuredIn()).toMatchObject({ TokenLifeLeft: 3_600 });
      expect(functions.metrics.faults).toEqual({ store_not_found: 1 });
    });

    test.each(['by name', 'by ARN'])(
      'a permission that is missing does, also if AWS names the secret %s',
      async (how) => {
        load(...TWO);
        const resource = how === 'by name' ? token : arnOf(token);
        functions.store({ lifeLeftMs: MINUTE_MS }, keyOf('tenant-b'));
        functions.secrets.faults.push({ ...denied('GetSecretValue', resource), secret: token });

        await measuredIn();

        expect(functions.metrics.faults).toEqual(FAULTS);
      },
    );
  });

  test('still counts a token whose credential is gone', async () => {
    load('tenant-a');
    await measuredIn(['tenant-a']);
    functions.unload('tenant-a');
    functions.clock.advance(50 * MINUTE_MS);

    expect(await measuredIn(['tenant-a'])).toMatchObject({ TokenLifeLeft: 600 });
  });

  test('of a token that cannot be read counts from when this process last read it', async () => {
    load('tenant-a');
    await measuredIn(['tenant-a']);
    functions.clock.advance(50 * MINUTE_MS);
    functions.failReads('ThrottlingException', { key: keyOf('tenant-a') });

    expect(await measuredIn(['tenant-a'])).toMatchObject({ TokenLifeLeft: 600 });
  });

  test('of a token that this process has never read is at most the least of normal operation, while the store is down', async () => {
    load('tenant-a');
    const lives: (number | undefined)[] = [];
    for (let sweeps = 0; sweeps < 4; sweeps += 1) {
      functions.failReads('InternalServiceError', { key: keyOf('tenant-a') });
      lives.push((await measuredIn(['tenant-a'])).TokenLifeLeft);
      functions.clock.advance(5 * MINUTE_MS);
    }

    expect(lives).toEqual([900, 600, 300, 0]);
    expect(await measuredIn(['tenant-a'])).toMatchObject({ TokenLifeLeft: 3_600 });
  });

  test.each(['InternalServiceError', 'ResourceNotFoundException'])(
    'is not recorded for a token that was never loaded while the store fails: %s',
    async (name) => {
      await measuredIn(['tenant-b']);
      functions.secrets.faults.push({ name, times: Infinity });

      expect(await measuredIn(['tenant-b'])).not.toHaveProperty('TokenLifeLeft');
    },
  );

  test('is 0 if the credential was just loaded and the platform is down', async () => {
    await measuredIn(['tenant-b']);
    load('tenant-b');
    answerTo('tenant-b', OUTAGE);

    expect(await measuredIn(['tenant-b'])).toMatchObject({ TokenLifeLeft: 0 });
  });
});

describe('a refused credential', () => {
  test.each([
    ['the platform refuses the credential', REFUSED],
    ['the platform refuses the scope', new TokenError('scope_refused', 'refused')],
    [
      'the secret holds something else',
      new TokenError('not_loaded', 'no credentials', { fault: 'credential_malformed' }),
    ],
  ])('is counted for the tenant, and left out of TokenLifeLeft, if %s', async (_, error) => {
    load(...TWO);
    functions.store({ lifeLeftMs: MINUTE_MS }, keyOf('tenant-a'));
    functions.store({ lifeLeftMs: 30 * MINUTE_MS }, keyOf('tenant-b'));
    answerTo('tenant-a', error);

    expect(await measuredIn()).toEqual({
      SweepDuration: 0,
      'CredentialRefused tenant-a': 1,
      TokenLifeLeft: 1_800,
    });
  });

  test('is counted once in each sweep, however many tokens the tenant has', async () => {
    load('tenant-a');
    answerTo('tenant-a', REFUSED);

    await sweepOf(['tenant-a'], SCOPES);
    await sweepOf(['tenant-a'], SCOPES);

    const once = [
      ['SweepDuration', 0],
      ['CredentialRefused tenant-a', 1],
    ];
    expect(functions.metrics.measured).toEqual([...once, ...once]);
    // One request per endpoint: in the second sweep the refusals are remembered.
    expect(functions.issuer.requests).toHaveLength(2);
  });

  test('is still counted during an outage, and its expired tokens do not affect TokenLifeLeft', async () => {
    load(...TWO);
    functions.store({ lifeLeftMs: -MINUTE_MS }, keyOf('tenant-a'));
    answerTo('tenant-a', REFUSED);
    await measuredIn();
    functions.clock.advance(5 * MINUTE_MS);
    answerTo('tenant-a', OUTAGE);

    expect(await measuredIn()).toMatchObject({ 'CredentialRefused tenant-a': 1, TokenLifeLeft: 3_300 });
  });

  test('is over after a renewal, and the token counts again', async () => {
    load(...TWO);
    answerTo('tenant-a', REFUSED);
    await measuredIn();
    functions.clock.advance(5 * MINUTE_MS);
    functions.issuer.always = () => ({ expiresAtMs: functions.clock.nowMs() + 25 * MINUTE_MS });

    expect(await measuredIn()).toEqual({ SweepDuration: 0, TokenLifeLeft: 1_500 });
  });

  test('is over once the credential is gone and has no token', async () => {
    load('tenant-a');
    answerTo('tenant-a', REFUSED);
    await measuredIn(['tenant-a']);
    functions.unload('tenant-a');

    expect(await measuredIn(['tenant-a'])).toEqual({ SweepDuration: 0 });
  });
});

describe('life_short', () => {
  test.each([
    [34, { life_short: 2 }],
    [35, {}],
  ])(
    'tokens issued for %d minutes: %j after two sweeps, however many tokens there are',
    async (minutes, faults) => {
      load(...TWO);
      functions.issuer.lifeMs = minutes * MINUTE_MS;

      await measuredIn();
      await measuredIn();

      expect(functions.issuer.requests).toHaveLength(TWO.length);
      expect(functions.metrics.faults).toEqual(faults);
    },
  );
});
