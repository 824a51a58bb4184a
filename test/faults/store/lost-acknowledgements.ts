import { loseAcknowledgement } from '../support/aws-gate';
import { assertCommonSet } from '../support/common-set';
import { writeBlindly } from '../support/holes';
import { expectRenewed } from '../support/outcome';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation, type World } from '../support/world';

interface Variant extends Situation {
  /** Consecutive acknowledgements that get lost. */
  lost: number;
}

/** F23: a version was written, but the writer does not learn of it. */
export const LOST_ACKNOWLEDGEMENTS = tokenRow<Variant>({
  id: 'F23',
  fault: 'the acknowledgement of a write is lost',
  // Over the wire, the SDK makes three attempts for each of ours, so only more losses cause our own retry.
  variant: (draw, where) => ({
    ...drawSituation(draw),
    lost: where === 'wire' ? draw.integer(3, 8) : draw.integer(1, 4),
  }),
  async virtual(world, variant) {
    const lost = { operation: 'PutSecretValue', name: 'TimeoutError', isAfterEffect: true };
    world.secrets.faults.push({ ...lost, times: variant.lost });

    await expectWrittenOnce(world);
  },
  async wire(world, variant) {
    const { gate } = world;
    const passOn = gate.intercept;
    gate.intercept = (call, held) => {
      const isLost = call.operation === 'PutSecretValue' && gate.count('PutSecretValue') <= variant.lost;
      return isLost ? loseAcknowledgement(call, held) : passOn(call, held);
    };

    await expectWrittenOnce(world);

    expect(gate.count('PutSecretValue')).toBe(variant.lost + 1);
  },
  hole: {
    words: 'a repeated write creates another version',
    open: writeBlindly,
  },
});

async function expectWrittenOnce(world: World): Promise<void> {
  const invocation = await world.invoke();

  expectRenewed(world, invocation);
  expect(world.platform.requests).toHaveLength(1);
  assertCommonSet(world, { store_unavailable: 1 });
}
