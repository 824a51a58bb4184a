import { createTokenSource, parseTokenKey, type TokenSourceEvent } from '../../client';
import { type TokenKey } from '../../core/tokens/published-keys';
import { FakeAws, KEY } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

let aws: FakeAws;
beforeEach(() => (aws = new FakeAws()));

describe('arguments', () => {
  test('takes a key from an environment variable, and refuses another text', () => {
    expect(parseTokenKey(JSON.stringify({ ...KEY, more: 1 }))).toEqual(KEY);
    expect(() => parseTokenKey(undefined)).toThrow(/^text: found nothing; allowed: a token key in JSON/);
    expect(() => parseTokenKey('content api/read')).toThrow(/^text: found "content api\/read"; allowed: /);
    expect(() => parseTokenKey('{}')).toThrow(/^environment: found nothing; allowed: staging, production/);
    expect(() => parseTokenKey('null')).toThrow(/^environment: found nothing/);
  });

  test('rejects a misspelled option, which would otherwise go unnoticed', () => {
    expect(() => createTokenSource({ tokenRefesh: 'x' } as never)).toThrow(
      /^options: found tokenRefesh; allowed: prefix, .*tokenRefresh/,
    );
  });

  test.each<[string, object, string]>([
    ['environment', { environment: 'prod' }, 'environment: found "prod"; allowed: staging, production'],
    ['platformRegion', { platformRegion: 1 }, 'platformRegion: found 1; allowed: global, mea'],
    [
      'tenantId',
      { tenantId: '../x' },
      'tenantId: found "../x"; allowed: 1 to 128 letters, digits, _ and -, starting with a letter or digit',
    ],
    ['interface', { interface: undefined }, 'interface: found nothing; allowed: content, webhooks'],
    ['scope', { scope: 'api/none' }, 'scope: found "api/none"; allowed: api/all, api/read, api/write'],
  ])(
    'rejects a key with a bad %s, and names the field, the value and the allowed values',
    async (_, change, message) => {
      const failure = await failureOf(createTokenSource(aws.options()).getToken({ ...KEY, ...change }));

      expect(failure).toBeInstanceOf(TypeError);
      expect(failure).toMatchObject({ message });
      expect(aws.reads).toEqual([]);
    },
  );

  test.each<[unknown, typeof TypeError | typeof RangeError]>([
    [-1, RangeError],
    [601, RangeError],
    [1.5, RangeError],
    ['60', TypeError],
  ])('rejects minValiditySec %p', (minValiditySec, kind) => {
    const create = () => createTokenSource({ minValiditySec: minValiditySec as number });

    expect(create).toThrow(kind);
    expect(create).toThrow(/^minValiditySec: found .*; allowed: whole numbers from 0 to 600$/);
  });

  test.each([0, 600_001, 2 ** 31])('rejects timeoutMs %p', async (timeoutMs) => {
    const call = createTokenSource(aws.options()).getToken(KEY, { timeoutMs });

    await expect(call).rejects.toThrow(RangeError);
  });

  test('drops unknown fields of a key', async () => {
    const events: TokenSourceEvent[] = [];
    const seen: object[] = [];
    const secretId = (key: TokenKey) => (seen.push(key), 'secret');
    const tokens = createTokenSource({ ...aws.options(), secretId, onEvent: (event) => events.push(event) });

    await failureOf(tokens.getToken({ ...KEY, ...{ accessToken: 'canary' } }));

    expect(seen[0]).toEqual(KEY);
    expect(JSON.stringify([aws.invocations, events])).not.toContain('canary');
  });
});
