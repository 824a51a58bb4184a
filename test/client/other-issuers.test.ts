import { createTokenSource, type TokenKey } from '../../client';
import { FakeAws, KEY, MINUTE_MS, REFRESH_ARN } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

const USERS: TokenKey = {
  issuer: 'auth0',
  environment: 'production',
  tenantId: 'acme',
  interface: 'api',
  scope: 'read:users write:users',
};
let aws: FakeAws;
beforeEach(() => (aws = new FakeAws()));

describe('a token of another issuer', () => {
  test('is read and kept, apart from those of other issuers, regions and scopes', async () => {
    const keys: TokenKey[] = [
      USERS,
      { ...USERS, scope: '' },
      { ...USERS, platformRegion: 'eu' },
      { ...USERS, issuer: 'degreed' },
      KEY,
    ];
    for (const key of keys) aws.store(60 * MINUTE_MS, { key });
    const source = createTokenSource(aws.readOnlyOptions());
    const read = () => Promise.all(keys.map(async (key) => (await source.getToken(key)).accessToken));

    const tokens = keys.map((_, index) => `token-${index + 1}`);
    expect([await read(), await read()]).toEqual([tokens, tokens]);
    expect(aws.reads).toEqual([
      'latchkey/auth0/production/acme/token/api/read=3Ausers+write=3Ausers',
      'latchkey/auth0/production/acme/token/api',
      'latchkey/auth0/production/eu/acme/token/api/read=3Ausers+write=3Ausers',
      'latchkey/degreed/production/acme/token/api/read=3Ausers+write=3Ausers',
      'latchkey/staging/mea/eu-west-2_AbcdEfghI/token/content/api-write',
    ]);
  });

  test('is requested from the function of its deployment', async () => {
    const deployments: object[] = [];
    const tokenRefresh = (deployment: object) => (deployments.push(deployment), REFRESH_ARN);
    aws.refreshAnswers.push({ ok: false, error: { code: 'credential_refused', message: 'refused' } });
    const failure = await failureOf(createTokenSource({ ...aws.options(), tokenRefresh }).getToken(USERS));

    expect(failure).toMatchObject({
      code: 'credential_refused',
      message: 'no token api read:users write:users of tenant acme in auth0-production: refused',
    });
    expect(deployments).toContainEqual({ issuer: 'auth0', environment: 'production' });
    expect(aws.invocations[0]!.event).toMatchObject({ interface: 'api', scope: 'read:users write:users' });
  });

  test.each<[object, string]>([
    [{ issuer: 'staging' }, 'issuer: found "staging"; allowed: up to 31 '],
    [{ issuer: 'learning-platform' }, 'issuer: found "learning-platform"; allowed: up to 31 '],
    [{ issuer: null }, 'issuer: found a value of type object; allowed: up to 31 '],
    [{ environment: '../staging' }, 'environment: found "../staging"; allowed: up to 31 '],
    [{ platformRegion: 'EU' }, 'platformRegion: found "EU"; allowed: nothing, or up to 31 '],
    [{ interface: 'a/b' }, 'interface: found "a/b"; allowed: up to 31 '],
    [{ scope: undefined }, 'scope: found nothing; allowed: up to 450 '],
    [{ scope: '\ud800' }, 'scope: found "\\ud800"; allowed: up to 450 '],
  ])('is refused by its form: %j', async (change, message) => {
    const failure = await failureOf(createTokenSource(aws.options()).getToken({ ...USERS, ...change }));

    expect(failure).toBeInstanceOf(TypeError);
    expect(failure.message.slice(0, message.length)).toBe(message);
    expect(aws.reads).toEqual([]);
  });
});
