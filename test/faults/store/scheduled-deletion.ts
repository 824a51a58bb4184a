import { assertCommonSet } from '../support/common-set';
import { expectFailed } from '../support/store-outcome';
import { tokenRow } from '../support/token-row';
import { type VirtualWorld } from '../support/virtual-world';
import { type WireWorld } from '../support/wire-world';
import { drawSituation, type Situation, type World } from '../support/world';

interface Variant extends Situation {
  scheduled: 'token' | 'client credentials';
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** F18: somebody scheduled the deletion of a secret; only people may cancel that. */
export const SCHEDULED_DELETION = tokenRow<Variant>({
  id: 'F18',
  fault: 'a secret is scheduled for deletion',
  variant: (draw) => ({ ...drawSituation(draw), scheduled: draw.oneOf(['token', 'client credentials']) }),
  async virtual(world, variant) {
    secretOf(world, variant).deletedAtMs = world.nowMs();

    await expectLeft(world, variant);

    expect(world.secrets.commandsOf('PutSecretValue')).toEqual([]);
  },
  async wire(world, variant) {
    const secret = secretOf(world, variant);
    Object.assign(secret, { deletedAtMs: Date.now(), purgeAtMs: Date.now() + 7 * DAY_MS });

    await expectLeft(world, variant);

    expect(secret.deletedAtMs).toBeDefined();
    expect(world.gate.count('PutSecretValue') + world.gate.count('RestoreSecret')).toBe(0);
  },
  hole: {
    words: 'the function restores a secret that is scheduled for deletion',
    open(world) {
      const { invoke, tokenSecret, credentialSecret } = world;
      world.invoke = (...args) => {
        for (const secret of [tokenSecret, credentialSecret]) delete secret.deletedAtMs;
        return invoke.apply(world, args);
      };
    },
  },
});

function secretOf({ tokenSecret, credentialSecret }: VirtualWorld | WireWorld, { scheduled }: Variant) {
  return scheduled === 'token' ? tokenSecret : credentialSecret;
}

async function expectLeft(world: World, { scheduled }: Variant): Promise<void> {
  const invocation = await world.invoke();

  expectFailed(world, invocation, 'store_unavailable', {
    fault: 'store_scheduled_for_deletion',
    isRead: scheduled === 'token',
  });
  expect(world.platform.requests).toEqual([]);
  expect(world.versions()).toEqual(world.before);
  assertCommonSet(world);
}
