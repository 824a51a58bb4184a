import { assertCommonSet } from '../support/common-set';
import { expectFailed } from '../support/store-outcome';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation, type World } from '../support/world';
import { storeFailure } from '../support/aws-faults';

interface Variant extends Situation {
  scheduled: 'token' | 'client credentials';
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** F18: someone has scheduled a secret's deletion. It is his to take back. */
export const SCHEDULED_DELETION = tokenRow<Variant>({
  id: 'F18',
  fault: 'a secret is scheduled for deletion',
  variant: (draw) => ({ ...drawSituation(draw), scheduled: draw.oneOf(['token', 'client credentials']) }),
  async virtual(world, variant) {
    if (variant.scheduled === 'token') world.tokens.setState(world.key, 'scheduled for deletion');
    else {
      const failure = storeFailure('InvalidRequestException', 'GetSecretValue', 'client-credentials');
      world.credentials.faults.set(variant.tenantId, failure);
    }

    await expectLeft(world, variant);

    expect(world.tokens.attempts).toEqual([]);
  },
  async wire(world, variant) {
    const secret = variant.scheduled === 'token' ? world.tokenSecret : world.credentialSecret;
    Object.assign(secret, { deletedAtMs: Date.now(), purgeAtMs: Date.now() + 7 * DAY_MS });

    await expectLeft(world, variant);

    expect(secret.deletedAtMs).toBeDefined();
    expect(world.gate.count('PutSecretValue') + world.gate.count('RestoreSecret')).toBe(0);
  },
  hole: {
    words: 'a secret that is scheduled for deletion is restored',
    open(world) {
      const { tokens, credentials } = world;
      const { invoke } = world;
      world.invoke = (...args) => {
        tokens.setState(world.key, 'kept');
        credentials.faults.clear();
        return invoke.apply(world, args);
      };
    },
  },
});

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
