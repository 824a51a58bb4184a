import { injectAwsFault } from '../support/aws-faults';
import { CallerProcess } from '../support/caller-process';
import { assertCommonSet } from '../support/common-set';
import { expectFailed } from '../support/store-outcome';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation } from '../support/world';

const SDK_ATTEMPTS = 3;

interface Variant extends Situation {
  exception: 'ThrottlingException' | 'InternalServiceError';
}

/** F14: Secrets Manager cannot be read. */
export const THROTTLED_READS = tokenRow<Variant>({
  id: 'F14',
  fault: 'Secrets Manager throttles reads',
  variant: (draw) => ({
    ...drawSituation(draw),
    stored: 'old',
    exception: draw.oneOf(['ThrottlingException', 'InternalServiceError']),
  }),
  async run(world, variant) {
    const { gate } = world;
    const caller = new CallerProcess(world, {});
    const coldCaller = new CallerProcess(world, {});
    const token = await caller.ask();
    const readsBefore = gate.count('GetSecretValue');
    await injectAwsFault(world.aws, { operation: 'GetSecretValue', error: variant.exception });

    const renewalFailed = caller.comingEvent('renewal_failed');
    const asked = await Promise.all(Array.from({ length: 100 }, () => caller.ask()));
    expect(new Set(asked)).toEqual(new Set([token]));
    expect(await renewalFailed).toMatchObject({ code: 'store_unavailable' });
    expect(gate.count('GetSecretValue') - readsBefore).toBe(SDK_ATTEMPTS);
    expect(await coldCaller.ask()).toMatchObject({ code: 'store_unavailable' });
    caller.expectNothingSpilled();
    coldCaller.expectNothingSpilled();
    expectFailed(world, await world.invoke(), 'store_unavailable', { fault: faultOf(variant), isRead: true });
    expect(world.platform.requests).toEqual([]);
    assertCommonSet(world);
  },
});

function faultOf({ exception }: Variant) {
  return exception === 'ThrottlingException' ? 'store_throttled' : 'store_unavailable';
}
