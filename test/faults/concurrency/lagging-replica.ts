import { type AccessToken } from '../../../client';
import { systemClock } from '../../../client/clock';
import { LocalAws } from 'cdk-on-loopback/testing/local-aws';
import { CallerProcess } from '../support/caller-process';
import { assertCommonSet } from '../support/common-set';
import { tokenRow } from '../support/token-row';
import { drawSituation } from '../support/world';

const MINUTE_MS = 60_000;

/** F33: a reader in another region reads a delayed replica of the token secret. */
export const LAGGING_REPLICA = tokenRow({
  id: 'F33',
  fault: 'the replica of a token secret still shows the previous version',
  variant: (draw) => ({
    ...drawSituation(draw),
    stored: draw.oneOf(['old', 'ending']),
  }),
  async run(world) {
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
