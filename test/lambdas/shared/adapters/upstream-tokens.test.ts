import {
  InvokeCommand,
  LambdaClient,
  LambdaServiceException,
  TooManyRequestsException,
} from '@aws-sdk/client-lambda';
import { mockClient } from 'aws-sdk-client-mock';

import { type EnsureAnswer } from '../../../../contract/token-refresh';
import { type TokenKey } from '../../../../contract/token-key';
import { RefreshedUpstreamTokens } from '../../../../lambdas/shared/adapters/upstream-tokens';
import { sha256Hex } from '../../../../lambdas/shared/domain/digest';
import { StoreError } from '../../../../lambdas/shared/domain/store-error';
import { UpstreamTokenError } from '../../../../lambdas/shared/domain/upstream-token-error';
import { type TokenReader, type TokenVersion } from '../../../../lambdas/shared/ports';
import { TENANT_ID } from '../../../support/lambdas/token-functions';
import { VirtualClock } from '../../../support/lambdas/virtual-clock';

const ARN = 'arn:aws:lambda:eu-west-2:111122223333:function:token-refresh';
const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID } as const;
const CANARY = 'canary-secret';
const THROTTLED = new TooManyRequestsException({ message: 'Rate Exceeded.', $metadata: {} });
const REFRESHED: EnsureAnswer = { ok: true, arn: 'a', versionId: 'v', expiresAt: 'x', refreshed: true };

const aws = mockClient(LambdaClient);
let clock: VirtualClock;
let stored: string | undefined;
let lifeMs: number;
let storeFailure: StoreError | undefined;
let reads: [TokenKey, string][];
let tokens: RefreshedUpstreamTokens;

beforeEach(() => {
  aws.reset();
  clock = new VirtualClock();
  [stored, lifeMs, storeFailure, reads] = ['token-1', 3_600_000, undefined, []];
  const reader: TokenReader = {
    async read(key, stage): Promise<TokenVersion | undefined> {
      reads.push([key, stage]);
      if (storeFailure !== undefined) throw storeFailure;
      if (stored === undefined) return undefined;
      const nowMs = clock.nowMs();
      const times = {
        issuedAtMs: nowMs,
        expiresAtMs: nowMs + lifeMs,
        credentialVersionId: 'c',
        writesMs: [],
      };
      return { secretArn: 'arn', versionId: 'v', token: { accessToken: stored, ...times } };
    },
  };
  tokens = new RefreshedUpstreamTokens({
    tokens: reader,
    lambda: new LambdaClient({ region: 'eu-west-2' }),
    tokenRefreshArn: ARN,
    clock,
    random: () => 0.999,
  });
});

/** token-refresh stores a token whenever it is asked. */
function refreshing(accessToken: string, { throttledTimes = 0 } = {}): void {
  let invocations = 0;
  aws.on(InvokeCommand).callsFake(() => {
    invocations += 1;
    if (invocations <= throttledTimes) throw THROTTLED;
    stored = accessToken;
    lifeMs = 3_600_000;
    return { Payload: Buffer.from(JSON.stringify(REFRESHED)) };
  });
}
const get = (rejected?: string, leftMs = 23_500) =>
  tokens.get(TENANT, clock.nowMs() + leftMs, rejected === undefined ? undefined : { accessToken: rejected });
const events = () =>
  aws.commandCalls(InvokeCommand).map(({ args }) => {
    const { FunctionName, Payload } = args[0].input;
    return { FunctionName, event: JSON.parse(Buffer.from(Payload as Uint8Array).toString()) as object };
  });
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('a token came');
    },
    (error: unknown) => error,
  );

describe('a stored token', () => {
  test('that lives long enough is taken as it is', async () => {
    expect((await get()).accessToken).toBe('token-1');
    expect(reads).toEqual([[{ ...TENANT, interface: 'content', scope: 'api/write' }, 'AWSCURRENT']]);
    expect(events()).toEqual([]);
  });

  test('is remembered while it lives, per tenant', async () => {
    await get();
    clock.advance(3_540_000);
    await get();
    expect(reads).toHaveLength(1);

    await tokens.get({ ...TENANT, tenantId: 'other' }, clock.nowMs() + 1_000);
    expect(reads).toHaveLength(2);
    clock.advance(1);
    await get();
    expect(reads).toHaveLength(3);
  });

  test.each<[string, () => void]>([
    ['has less than a minute left', () => (lifeMs = 59_999)],
    ['has expired', () => (lifeMs = -1)],
    ['is not there', () => (stored = undefined)],
  ])('that %s is renewed first', async (_, given) => {
    given();
    refreshing('token-2');

    expect((await get()).accessToken).toBe('token-2');
    expect(events()).toEqual([
      {
        FunctionName: ARN,
        event: {
          action: 'ensure',
          tenantId: TENANT_ID,
          interface: 'content',
          scope: 'api/write',
          minValiditySec: 60,
        },
      },
    ]);
  });
});

describe('a token that the platform refused', () => {
  test('is replaced by its digest, remembered or not', async () => {
    refreshing('token-2');
    await get();

    expect((await get('token-1')).accessToken).toBe('token-2');
    expect(events()).toMatchObject([{ event: { rejectedTokenSha256: sha256Hex('token-1') } }]);
    expect(JSON.stringify(events())).not.toContain('token-1');
    expect((await get()).accessToken).toBe('token-2');
  });

  test('is not renewed where another one is stored already', async () => {
    await get();
    stored = 'token-2';

    expect((await get('token-1')).accessToken).toBe('token-2');
    expect(events()).toEqual([]);
  });

  test('is never given again, though token-refresh says all is well', async () => {
    aws.on(InvokeCommand).resolves({ Payload: Buffer.from(JSON.stringify(REFRESHED)) as never });

    expect(await failureOf(get('token-1'))).toMatchObject({ code: 'no_usable_token' });
    expect(events()).toHaveLength(1);
  });
});

describe('token-refresh that is busy', () => {
  test('is asked again with growing waits, until it has time', async () => {
    stored = undefined;
    refreshing('token-2', { throttledTimes: 3 });

    expect((await get()).accessToken).toBe('token-2');
    expect(clock.sleepsMs).toEqual([0.999 * 200, 0.999 * 400, 0.999 * 800]);
  });

  test('is not asked again once it has stored the token for someone else', async () => {
    stored = undefined;
    aws.on(InvokeCommand).callsFake(() => {
      stored = 'token-of-another-caller';
      throw THROTTLED;
    });

    expect((await get()).accessToken).toBe('token-of-another-caller');
    expect(events()).toHaveLength(1);
    expect(clock.sleepsMs).toEqual([]);
  });

  test.each([
    ['20 s', 60_000, 20_000],
    ['the caller’s deadline', 5_000, 5_000],
  ])('is given up after %s at the latest', async (_, leftMs, atMostMs) => {
    const startedAtMs = clock.nowMs();
    stored = undefined;
    refreshing('token-2', { throttledTimes: Infinity });

    const failure = await failureOf(get(undefined, leftMs));

    expect(failure).toMatchObject({ code: 'no_usable_token', message: 'token-refresh stays busy' });
    expect(clock.nowMs() - startedAtMs).toBeLessThan(atMostMs);
    expect(clock.nowMs() - startedAtMs).toBeGreaterThan(atMostMs / 2);
    expect(Math.max(...clock.sleepsMs)).toBeLessThanOrEqual(2_000);
  });
});

describe('no token', () => {
  beforeEach(() => (stored = undefined));

  test.each(['credential_refused', 'write_budget_spent', 'not_loaded'] as const)(
    'is had where token-refresh answers %s',
    async (code) => {
      const answer: EnsureAnswer = { ok: false, error: { code, message: 'why' } };
      aws.on(InvokeCommand).resolves({ Payload: Buffer.from(JSON.stringify(answer)) as never });

      const failure = await failureOf(get());

      expect(failure).toBeInstanceOf(UpstreamTokenError);
      expect(failure).toMatchObject({ code, message: 'why' });
      expect(events()).toHaveLength(1);
    },
  );

  test('is had where token-refresh crashes, of which nothing is repeated', async () => {
    const crash = Buffer.from(JSON.stringify({ errorMessage: CANARY, errorType: 'TypeError' }));
    aws.on(InvokeCommand).resolves({ FunctionError: 'Unhandled', Payload: crash as never });

    const failure = await failureOf(get());

    expect(failure).toMatchObject({ code: 'function_error', message: 'token-refresh failed' });
  });

  // https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html ("Errors")
  test.each<[string, Error]>([
    [
      'AccessDeniedException',
      new LambdaServiceException({
        name: 'AccessDeniedException',
        message: CANARY,
        $fault: 'client',
        $metadata: {},
      }),
    ],
    [
      'ResourceNotFoundException',
      new LambdaServiceException({
        name: 'ResourceNotFoundException',
        message: CANARY,
        $fault: 'client',
        $metadata: {},
      }),
    ],
    ['TimeoutError', Object.assign(new Error(CANARY), { name: 'TimeoutError' })],
    ['Error', Object.assign(new Error(CANARY), { code: 'ECONNREFUSED' })],
  ])('is had where the invocation fails with %s', async (name, error) => {
    aws.on(InvokeCommand).rejects(error);

    const failure = await failureOf(get());

    expect(failure).toBeInstanceOf(UpstreamTokenError);
    expect(failure).toMatchObject({
      code: 'invoke_failed',
      message: `lambda:InvokeFunction on ${ARN} failed: ${name}`,
    });
  });

  test.each<[string, string | undefined]>([
    ['is missing', undefined],
    ['is cut off', '{"ok":tr'],
  ])('is had where the answer of token-refresh %s', async (_, payload) => {
    aws.on(InvokeCommand).resolves({ Payload: payload as never });

    expect(await failureOf(get())).toMatchObject({ code: 'invoke_failed' });
  });

  test('is had where the secret cannot be read', async () => {
    storeFailure = new StoreError('access_denied', 'secretsmanager:GetSecretValue on x was denied');

    const failure = await failureOf(get());

    expect(failure).toBeInstanceOf(UpstreamTokenError);
    expect(failure).toMatchObject({ code: 'access_denied', message: storeFailure.message });
    expect(events()).toEqual([]);
  });
});
