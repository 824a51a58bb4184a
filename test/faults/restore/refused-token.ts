import { UpstreamTokenError } from '../../../lambdas/shared/domain/upstream-token-error';
import { isProcessed, NO_CONNECTION, type PlatformFault, UNAUTHORIZED } from './platform-fault';
import { type Expected, expectTold, type RestoreWorld } from './restore-world';
import { restoreRow, VirtualRestoreWorld } from './virtual-restore';
import { WireRestoreWorld } from './wire-restore';

/** What happens to the second request, after a 401 for the first: each fault of F28 to F32, or none. */
interface Second {
  meets?: PlatformFault;
  told: Pick<Expected, 'status' | 'code'>;
}

const answer = (status: number, more: Partial<PlatformFault & { kind: 'answer' }> = {}): PlatformFault => ({
  kind: 'answer',
  status,
  body: 'problem',
  ...more,
});

const SECONDS: readonly Second[] = [
  { told: { status: 200 } },
  { meets: UNAUTHORIZED, told: { status: 502, code: 'platform_refused_token' } },
  ...NO_CONNECTION.map((why): Second => ({
    meets: { kind: 'no connection', why },
    told: { status: 502, code: 'platform_unreachable' },
  })),
  { meets: answer(502), told: { status: 502, code: 'platform_failed' } },
  ...(['first byte', 'request', 'processed', 'half the answer'] as const).map((at): Second => ({
    meets: { kind: 'broken', at },
    told: { status: 504, code: 'outcome_unknown' },
  })),
  ...[500, 503, 307, 418].map((status): Second => ({
    meets: answer(status),
    told: { status: 500, code: 'outcome_unknown' },
  })),
  { meets: answer(204, { isProcessed: true }), told: { status: 500, code: 'outcome_unknown' } },
  {
    meets: answer(200, { isProcessed: true, body: 'the record, cut' }),
    told: { status: 500, code: 'outcome_unknown' },
  },
  { meets: answer(403), told: { status: 403, code: 'forbidden' } },
  { meets: answer(404), told: { status: 404, code: 'content_not_found' } },
  { meets: answer(409), told: { status: 409, code: 'not_archived' } },
  { meets: answer(415), told: { status: 415, code: 'unsupported_media_type' } },
  { meets: answer(422), told: { status: 422, code: 'rejected_by_platform' } },
  {
    meets: answer(429, { headers: { 'retry-after': '7' } }),
    told: { status: 429, code: 'too_many_requests' },
  },
];

/** F31 */
export const REFUSED_TOKEN = restoreRow({
  id: 'F31',
  fault: 'the platform refuses the cached token with 401',
  variant: (draw) => ({ first: draw.oneOf(SECONDS) }),
  async virtual(world, { first }) {
    await expectReplayedOnce(world, first);
    const [refused, next] = world.fn.tokens.calls;
    expect(next!.rejected).toEqual({ accessToken: world.fn.platform.requests[0]!.accessToken });
    expect(refused!.rejected).toBeUndefined();
    await expectNotReplayedWithoutToken();
  },
  async wire({ first }) {
    for (const second of [first, ...SECONDS.filter((other) => other !== first)]) {
      const world = await WireRestoreWorld.start();
      await expectReplayedOnce(world, second);
      const shown = world.shownTokens();
      expect(new Set(shown).size).toBe(shown.length);
    }
  },
  hole: {
    words: 'the refused token is not reported',
    open({ fn: { tokens } }) {
      const { get } = tokens;
      tokens.get = (tenant, deadlineMs) => get.call(tokens, tenant, deadlineMs);
    },
  },
});

/** One new token, one more request, and the answer to that one. */
async function expectReplayedOnce(world: RestoreWorld, { meets, told: expected }: Second): Promise<void> {
  world.meet(UNAUTHORIZED, ...(meets === undefined ? [] : [meets]));

  const told = await world.restore();

  const isUnread = meets?.kind === 'no connection' || (meets?.kind === 'broken' && meets.at === 'first byte');
  const restored = meets === undefined || isProcessed(meets) ? 1 : 0;
  await expectTold(world, told, { ...expected, posts: isUnread ? 1 : 2, sends: 2, restored, grants: 1 });
  expect(told.retryAfter).toBe(expected.status === 429 ? '7' : undefined);
}

/** Without another token nothing is sent again. The 401 came before processing, so nothing was modified. */
async function expectNotReplayedWithoutToken(): Promise<void> {
  const world = new VirtualRestoreWorld();
  world.meet(UNAUTHORIZED);
  world.fn.tokens.failures.push(undefined, new UpstreamTokenError('platform_unavailable', 'why'));

  const told = await world.restore();

  await expectTold(world, told, {
    status: 502,
    code: 'token_unavailable',
    posts: 1,
    restored: 0,
    grants: 1,
  });
}
