import { assertCommonSet } from '../support/common-set';
import { expectNotRenewed, expectRenewed } from '../support/outcome';
import { oauthError, processedThenReset, type Turn } from '../support/platform-double';
import { inBothWorlds, tokenRow } from '../support/token-row';
import { drawSituation, type Situation } from '../support/world';

const TRIES = 3;
const RENEWAL_MS = 10_000;
/** Time that must remain when an invocation has answered. */
const RESERVE_MS = 1_000;
const MINUTE_MS = 60_000;

/** F1 */
export const ENDPOINT_DOWN = tokenRow<Situation & { code: string; failures: number }>({
  id: 'F1',
  fault: 'the token endpoint is down, or its host name is unknown',
  variant: (draw, where) => ({
    ...drawSituation(draw),
    code:
      where === 'wire' ? 'ECONNREFUSED' : draw.oneOf(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']),
    failures: where === 'wire' ? TRIES : draw.oneOf([TRIES, 1, 2]),
  }),
  async virtual(world, variant) {
    const { platform, transport, clock } = world;
    const { code, failures } = variant;
    platform.script.push(...Array<Turn>(failures).fill(() => ({ kind: 'unreachable', code })));

    const invocation = await world.invoke();

    if (failures < TRIES) expectRenewed(world, invocation);
    else expectNotRenewed(world, invocation, 'platform_unavailable');
    expect(transport.sent).toHaveLength(Math.min(failures + 1, TRIES));
    expect(invocation.elapsedMs).toBeLessThanOrEqual(RENEWAL_MS);
    clock.sleepsMs.forEach((waitMs, index) => expect(waitMs).toBeLessThan(1_000 * 2 ** index));
    assertCommonSet(world, { platform_unavailable: 1 });

    await world.takePlatformDown();
    clock.advance(60 * MINUTE_MS);
    const { answer } = await world.invoke('ensure');
    expect(answer).toMatchObject({ ok: false, error: { code: 'platform_unavailable' } });
  },
  async wire(world) {
    await world.takePlatformDown();

    const invocation = await world.invoke();

    expectNotRenewed(world, invocation, 'platform_unavailable');
    assertCommonSet(world, { platform_unavailable: 1 });
  },
});

/** F2 */
export const ENDPOINT_SLOW = tokenRow({
  id: 'F2',
  fault: 'the token endpoint answers slowly or incompletely',
  variant: (draw, where) => ({
    ...drawSituation(draw),
    after: draw.oneOf(['request', 'half the answer']),
    remainingMs: where === 'wire' ? 3_300 : draw.integer(3_500, 30_000),
  }),
  async virtual(world, variant) {
    const { after, remainingMs } = variant;
    world.platform.always = () => ({ kind: 'silence', after });

    const invocation = await world.invoke(variant.action, remainingMs);

    expectNotRenewed(world, invocation, 'platform_unavailable');
    expect(invocation.elapsedMs).toBeLessThanOrEqual(Math.min(remainingMs - RESERVE_MS, RENEWAL_MS));
    for (const { connectTimeoutMs, totalTimeoutMs } of world.transport.sent) {
      expect(connectTimeoutMs).toBeLessThanOrEqual(2_000);
      expect(totalTimeoutMs).toBeLessThanOrEqual(5_000);
    }
    assertCommonSet(world, { platform_unavailable: 1 });
  },
  async wire(world, variant) {
    const { after, remainingMs } = variant;
    world.platform.always = () => ({ kind: 'silence', after });

    const invocation = await world.invoke(variant.action, remainingMs);

    expectNotRenewed(world, invocation, 'platform_unavailable');
    expect(invocation.elapsedMs).toBeLessThan(remainingMs - RESERVE_MS);
    expect(world.platform.requests).not.toHaveLength(0);
    expect(await world.wirePlatform.openAnswers()).toBe(0);
    assertCommonSet(world, { platform_unavailable: 1 });
  },
});

/** F5 */
export const SERVER_ERRORS = inBothWorlds<Situation & { status: number; failures: number }>({
  id: 'F5',
  fault: 'the token endpoint answers 500, 502, 503 or 504',
  variant: (draw) => ({
    ...drawSituation(draw),
    status: draw.oneOf([500, 502, 503, 504]),
    failures: draw.oneOf([1, 2, TRIES]),
  }),
  async run(world, { status, failures }) {
    world.platform.script.push(...Array<Turn>(failures).fill(() => oauthError(status)));

    const invocation = await world.invoke();

    if (failures < TRIES) expectRenewed(world, invocation);
    else expectNotRenewed(world, invocation, 'platform_unavailable');
    expect(world.platform.requests).toHaveLength(Math.min(failures + 1, TRIES));
    assertCommonSet(world, { platform_unavailable: 1 });
  },
});

/** F13 */
export const RESET_AFTER_SEND = inBothWorlds({
  id: 'F13',
  fault: 'the connection breaks after the platform processed the token request',
  variant: (draw) => ({
    ...drawSituation(draw),
    after: draw.oneOf(['request', 'half the answer']),
    resets: draw.oneOf([1, 2]),
  }),
  async run(world, { after, resets }) {
    const { platform, before } = world;
    platform.script.push(...Array<Turn>(resets).fill(processedThenReset(after)));

    const invocation = await world.invoke();

    expectRenewed(world, invocation);
    expect(platform.issued).toHaveLength(before.length + resets + 1);
    const stored = JSON.parse(world.versions().at(-1)!.secretString) as { accessToken: string };
    expect(stored.accessToken).toBe(platform.issued.at(-1)!.accessToken);
    assertCommonSet(world, { platform_unavailable: 1 });
  },
});
