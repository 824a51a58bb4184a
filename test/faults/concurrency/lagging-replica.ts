import { type AccessToken } from '../../../client';
import { systemClock } from '../../../client/clock';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { CallerProcess } from '../support/caller-process';
import { assertCommonSet } from '../support/common-set';
import { VirtualAws } from '../support/virtual-aws';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation, type World } from '../support/world';

const MINUTE_MS = 60_000;

interface Variant extends Situation {
  /** How long the replica shows the previous version, in minutes. */
  lagMinutes: number;
}

/** F33: a reader in another region reads a delayed replica of the token secret. */
export const LAGGING_REPLICA = tokenRow<Variant>({
  id: 'F33',
  fault: 'the replica of a token secret still shows the previous version',
  variant: (draw) => ({
    ...drawSituation(draw),
    stored: draw.oneOf(['old', 'ending']),
    lagMinutes: draw.oneOf([15, 5, 0]),
  }),
  async virtual(world, variant, draw) {
    const replica = new VirtualAws(world);
    await world.invoke('ensure');
    const begunMs = world.nowMs();
    const current = replica.shown;
    replica.shown = () =>
      world.nowMs() - begunMs < variant.lagMinutes * MINUTE_MS ? world.before.at(-1) : current();
    const reader = new CallerProcess(world, replica.options());

    for (let asked = 0; asked < 40 * 6; asked += 1) {
      expectAliveOrNone(world, variant, await reader.ask(), begunMs);
      world.clock.advance(draw.integer(5_000, 15_000));
    }

    expect(await reader.ask()).toHaveProperty('expiresAt', expiryOf(world.versions().at(-1)!));
    reader.expectNothingSpilled();
    assertCommonSet(world, {});
  },
  async wire(world) {
    await world.invoke('ensure');
    const region = new LocalAws();
    await region.start();
    try {
      const replica = region.addSecret(world.tokenSecret.name);
      const earlier = world.before.at(-1)!;
      world.putByHand(replica, earlier.versionId, earlier.secretString);
      const clock = { ...systemClock, nowMs: () => region.clock.nowMs() };
      const reader = () => new CallerProcess(world, { secretsManager: region.secretsManager(), clock });

      expect(await reader().ask()).toHaveProperty('expiresAt', expiryOf(earlier));
      region.clock.advanceMs(10 * MINUTE_MS);
      const late = reader();
      expect(await late.ask()).toMatchObject({ code: 'no_usable_token' });
      const { versionId, secretString } = world.versions().at(-1)!;
      world.putByHand(replica, versionId, secretString);
      region.clock.advanceMs(MINUTE_MS);
      expect(await late.ask()).toHaveProperty('expiresAt', expiryOf({ secretString }));
      late.expectNothingSpilled();
      assertCommonSet(world, {});
    } finally {
      await region.stop();
    }
  },
});

function expiryOf({ secretString }: { secretString: string }): string {
  return (JSON.parse(secretString) as AccessToken).expiresAt;
}

/** Never an expired token; while the replica lags, the earlier token until it expires. */
function expectAliveOrNone(
  world: World,
  { lagMinutes }: Variant,
  answer: AccessToken | Error,
  begunMs: number,
): void {
  const nowMs = world.nowMs();
  const earlierEndsMs = Date.parse(expiryOf(world.before.at(-1)!));
  if (answer instanceof Error) {
    expect(answer).toMatchObject({ code: 'no_usable_token' });
    expect(nowMs).toBeGreaterThanOrEqual(earlierEndsMs);
    expect(nowMs - begunMs).toBeLessThan(lagMinutes * MINUTE_MS + 2_000);
  } else {
    expect(Date.parse(answer.expiresAt)).toBeGreaterThan(nowMs);
  }
}
