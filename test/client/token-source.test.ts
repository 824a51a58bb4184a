import { inspect } from 'node:util';

import { createTokenSource } from '../../client';
import { type DeploymentKey, type TokenKey } from '../../core/tokens/published-keys';
import { workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS, REFRESH_ARN } from './support/fake-aws';
import { failureOf } from '../support/lambdas/failure-of';

const OF_ALL_SCOPES: TokenKey = { ...KEY, interface: 'content', scope: 'api/all' };

let aws: FakeAws;
beforeEach(() => (aws = new FakeAws()));

describe('a token', () => {
  test('is read once, drops the store’s own fields, and is frozen', async () => {
    aws.store(60 * MINUTE_MS);

    const token = await createTokenSource(aws.options()).getToken(KEY);

    expect(token.accessToken).toBe('token-1');
    expect({ ...token }).toEqual({
      ...KEY,
      tokenType: 'Bearer',
      issuedAt: '2026-01-31T12:00:00.000Z',
      expiresAt: '2026-01-31T13:00:00.000Z',
      credentialVersionId: 'credential-1',
    });
    expect(Object.isFrozen(token)).toBe(true);
    expect(aws.reads).toEqual(['latchkey/staging/mea/eu-west-2_AbcdEfghI/token/content/api-write']);
    expect(aws.invocations).toEqual([]);
  });

  test('is not shown by printing, serializing or spreading', async () => {
    aws.store(60 * MINUTE_MS);

    const token = await createTokenSource(aws.options()).getToken(KEY);

    const shown = [inspect(token, { depth: 9 }), JSON.stringify({ token }), JSON.stringify({ ...token })];
    expect(shown.join()).not.toContain('token-1');
  });
});

describe('with nothing in memory', () => {
  test.each<[string, (aws: FakeAws) => void]>([
    ['is missing', () => undefined],
    ['has expired', (aws) => aws.store(-1)],
    ['expires sooner than callers need', (aws) => aws.store(MINUTE_MS - 1)],
    ['is unreadable', (aws) => aws.storeText('{"accessToken":')],
    ['does not fit into a header', (aws) => aws.store(60 * MINUTE_MS, { accessToken: 'two\nlines' })],
    ['is of another scope', (aws) => aws.store(60 * MINUTE_MS, { key: OF_ALL_SCOPES, in: KEY })],
  ])('and a stored token that %s, requests a new one once and reads it', async (_, prepare) => {
    prepare(aws);
    const reads = aws.reads.length;

    const token = await createTokenSource({ ...aws.options(), minValiditySec: 60 }).getToken(KEY);

    expect(token).toMatchObject({ ...KEY, expiresAt: '2026-01-31T13:00:00.000Z' });
    expect(aws.reads).toHaveLength(reads + 2);
    const { tenantId, interface: platformInterface, scope } = KEY;
    expect(aws.invocations).toEqual([
      {
        functionName: REFRESH_ARN,
        event: { action: 'ensure', tenantId, interface: platformInterface, scope, minValiditySec: 60 },
      },
    ]);
  });

  test('1,000 callers cause one read and, if that is not enough, one invocation', async () => {
    aws.clock.wakesSleepers = false;
    aws.latency = workIsDone;
    aws.store(30_000);
    const tokens = createTokenSource(aws.options());

    const answers = await Promise.all(Array.from({ length: 1_000 }, () => tokens.getToken(KEY)));

    expect(new Set(answers.map(({ accessToken }) => accessToken))).toEqual(new Set(['token-2']));
    expect(aws.reads).toHaveLength(2);
    expect(aws.invocations).toHaveLength(1);
  });

  test('calls the function of the deployment, and only reads if it has none', async () => {
    const elsewhere: TokenKey = { ...KEY, environment: 'production', platformRegion: 'global' };
    const tokenRefresh = ({ platformRegion }: DeploymentKey) =>
      platformRegion === 'mea' ? 'refresh-mea' : undefined;
    const tokens = createTokenSource({ ...aws.options(), tokenRefresh });

    await tokens.getToken(KEY);
    const failure = await failureOf(tokens.getToken(elsewhere));

    expect(aws.invocations.map(({ functionName }) => functionName)).toEqual(['refresh-mea']);
    expect(failure).toMatchObject({ code: 'not_found' });
  });

  test('prefix and secret id can be configured', async () => {
    const prefixed = createTokenSource({ ...aws.readOnlyOptions(), prefix: 'team/keys' });
    const named = createTokenSource({ ...aws.readOnlyOptions(), secretId: ({ scope }) => `arn:${scope}` });

    await Promise.allSettled([prefixed.getToken(KEY), named.getToken(KEY)]);

    expect(aws.reads).toEqual([
      'team/keys/staging/mea/eu-west-2_AbcdEfghI/token/content/api-write',
      'arn:api/write',
    ]);
  });
});
