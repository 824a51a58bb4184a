import { type EnsureAnswer } from '../../../contract/token-refresh';
import { assertCommonSet } from '../support/common-set';
import { alterAnswers, alterRefusals, outage } from '../support/holes';
import { expectNotRenewed, expectRenewed } from '../support/outcome';
import { oauthError, type PlatformDouble, tokenAnswer } from '../support/platform-double';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Invocation, type World } from '../support/world';

const TRIES = 3;
/** Time that an invocation has for a token request. A shorter Retry-After is waited for. */
const GRANT_MS = 8_500;
const RETRY_AFTER_CAP_MS = 60_000;

/** A Retry-After of so many seconds from the platform's time. */
function statedAs(form: 'seconds' | 'date', waitSec: number, { nowMs }: PlatformDouble): string {
  return form === 'seconds' ? String(waitSec) : new Date(nowMs() + waitSec * 1000).toUTCString();
}

/** F3 */
export const RETRY_AFTER = tokenRow({
  id: 'F3',
  fault: 'the token endpoint answers 429 with Retry-After',
  variant: (draw, where) => {
    const waitSec = draw.oneOf(
      where === 'wire' ? [draw.integer(15, 59)] : [draw.integer(15, 59), draw.integer(1, 8)],
    );
    return { ...drawSituation(draw), form: draw.oneOf(['seconds', 'date']), waitSec };
  },
  async virtual(world, variant, draw) {
    const { platform, clock } = world;
    const { form, waitSec } = variant;
    const statedMs = platform.nowMs() + waitSec * 1000;
    platform.script.push(() => oauthError(429, 'x', { 'retry-after': statedAs(form, waitSec, platform) }));

    const invocation = await world.invoke();

    assertCommonSet(world, { platform_unavailable: 1 });
    if (waitSec * 1000 < GRANT_MS) {
      expectRenewed(world, invocation);
    } else {
      expectNotRenewed(world, invocation, 'platform_unavailable');
      expect(invocation.elapsedMs).toBe(0);
      clock.advance(statedMs - platform.nowMs() - GRANT_MS);
      expectNotRenewed(world, await world.invoke(), 'platform_unavailable');
      expect(platform.requests).toHaveLength(1);
      clock.advance(draw.integer(0, GRANT_MS + 1));
      expectRenewed(world, await world.invoke());
    }
    expect(platform.requests).toHaveLength(2);
    expect(platform.requests[1]!.atMs).toBeGreaterThanOrEqual(statedMs);
    assertCommonSet(world);
  },
  async wire(world, variant) {
    const { platform } = world;
    const { form, waitSec } = variant;
    platform.always = () => oauthError(429, 'x', { 'retry-after': statedAs(form, waitSec, platform) });

    const first = await world.invoke();
    assertCommonSet(world, { platform_unavailable: 1 });
    const second = await world.invoke();

    for (const invocation of [first, second]) {
      expectNotRenewed(world, invocation, 'platform_unavailable');
      expectToldToWait(world, invocation, waitSec);
    }
    expect(platform.requests).toHaveLength(1);
    assertCommonSet(world);
  },
  hole: {
    words: 'Retry-After gets lost',
    open: (world) =>
      alterAnswers(world, ({ headers, ...answer }) => ({
        ...answer,
        headers: { ...headers, 'retry-after': undefined },
      })),
  },
});

/** Any three consecutive values contain one that is clamped: the first or the fourth. */
const UNUSABLE = ['1000000000', undefined, '-5', 'Fri, 31 Dec 9999 23:59:59 GMT', 'soon', '1e3'] as const;

/** F4 */
export const UNUSABLE_RETRY_AFTER = tokenRow({
  id: 'F4',
  fault: 'the token endpoint answers 429 with no or an absurd Retry-After',
  variant: (draw) => ({ ...drawSituation(draw), retryAfter: draw.oneOf(UNUSABLE) ?? 'none' }),
  async virtual(world, variant) {
    const { platform, clock } = world;
    const { retryAfter } = variant;
    platform.always = () => throttled(retryAfter);

    expectNotRenewed(world, await world.invoke(), 'platform_unavailable');
    assertCommonSet(world, { platform_unavailable: 1 });
    if (isClamped(retryAfter)) {
      clock.advance(RETRY_AFTER_CAP_MS - GRANT_MS);
      expectNotRenewed(world, await world.invoke(), 'platform_unavailable');
      expect(platform.requests).toHaveLength(1);
      clock.advance(GRANT_MS);
    } else {
      expect(platform.requests).toHaveLength(TRIES);
      clock.advance(RETRY_AFTER_CAP_MS);
    }
    platform.always = tokenAnswer();

    expectRenewed(world, await world.invoke());
    assertCommonSet(world);
  },
  async wire(world, variant) {
    const { platform } = world;
    const { retryAfter } = variant;
    platform.always = () => throttled(retryAfter);

    const first = await world.invoke();
    assertCommonSet(world, { platform_unavailable: 1 });
    const second = await world.invoke();

    for (const invocation of [first, second]) {
      expectNotRenewed(world, invocation, 'platform_unavailable');
      expectToldToWait(world, invocation, RETRY_AFTER_CAP_MS / 1000);
    }
    expect(platform.requests).toHaveLength(isClamped(retryAfter) ? 1 : TRIES);
    assertCommonSet(world);
  },
  hole: {
    words: 'any Retry-After counts as ten minutes',
    open: (world) => alterRefusals(world, (error) => outage(error, { retryAfterMs: 600_000 })),
  },
});

function throttled(retryAfter: string) {
  return oauthError(429, 'x', retryAfter === 'none' ? {} : { 'retry-after': retryAfter });
}

function isClamped(retryAfter: string): boolean {
  return retryAfter === UNUSABLE[0] || retryAfter === UNUSABLE[3];
}

/** A caller without a token may be asked to wait, but at most this long. */
function expectToldToWait({ situation }: World, { answer }: Invocation, mostSec: number): void {
  if (situation.action === 'sweep' || answer.ok) return;
  const { retryAfterSec = 0 } = (answer as Extract<EnsureAnswer, { ok: false }>).error;
  expect(retryAfterSec).toBeLessThanOrEqual(mostSec);
}
