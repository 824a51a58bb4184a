import { type AccessToken } from '../../../client';
import { awsException, injectAwsFault } from '../support/aws-faults';
import { CallerProcess } from '../support/caller-process';
import { assertCommonSet } from '../support/common-set';
import { type Draw } from '../support/draw';
import { expectFailed } from '../support/store-outcome';
import { VirtualAws } from '../support/virtual-aws';
import { tokenRow } from '../support/token-row';
import { type VirtualWorld } from '../support/virtual-world';
import { drawSituation, type Situation } from '../support/world';

/** Minimum time between two reads of a process with a valid token. */
const QUIET_SEC = 15;
const SDK_ATTEMPTS = 3;

interface Variant extends Situation {
  exception: 'ThrottlingException' | 'InternalServiceError';
  /** What callers may do when their token expires. */
  callers: 'only read' | 'ask for renewals';
}

/** F14: Secrets Manager cannot be read. */
export const THROTTLED_READS = tokenRow<Variant>({
  id: 'F14',
  fault: 'Secrets Manager throttles reads',
  variant: (draw) => ({
    ...drawSituation(draw),
    stored: 'old',
    exception: draw.oneOf(['ThrottlingException', 'InternalServiceError']),
    callers: draw.oneOf(['only read', 'ask for renewals']),
  }),
  async virtual(world, variant, draw) {
    const unreadable = {
      operation: 'GetSecretValue',
      secret: world.tokenSecret.name,
      name: variant.exception,
    };
    world.secrets.faults.push({ ...unreadable });
    expectFailed(world, await world.invoke(), 'store_unavailable', { fault: faultOf(variant), isRead: true });

    await askWhileThrottled(world, variant, draw);

    // The function also serves the last token that it read.
    await world.invoke('ensure');
    world.secrets.faults.push({ ...unreadable });
    expect((await world.invoke('ensure')).answer).toMatchObject({ ok: true, refreshed: false });
    assertCommonSet(world);
  },
  async wire(world, variant) {
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

/** Callers ask every few seconds, from before the throttling until after their token has expired. */
async function askWhileThrottled(
  world: VirtualWorld,
  { exception, callers }: Variant,
  draw: Draw,
): Promise<void> {
  const aws = new VirtualAws(world);
  const mayAsk = callers === 'ask for renewals';
  const caller = new CallerProcess(world, {
    ...aws.options(),
    ...(mayAsk && { tokenRefresh: 'token-refresh' }),
  });
  const token = (await caller.ask()) as AccessToken;
  const endsAtMs = Date.parse(token.expiresAt);
  aws.readFault = () => awsException(exception);
  const begunMs = world.nowMs();

  for (;;) {
    world.clock.advance(draw.integer(1_000, 10_000));
    if (world.nowMs() >= endsAtMs) break;
    expect(await caller.ask()).toBe(token);
  }
  expect(aws.reads).toBeLessThanOrEqual(2 + (world.nowMs() - begunMs) / 1000 / QUIET_SEC);
  expect(await caller.ask()).toMatchObject({ code: 'store_unavailable' });

  aws.readFault = () => undefined;
  world.clock.advance(2_000);
  const stored = (await caller.ask()) as AccessToken;
  expect(mayAsk).toBe(Date.parse(stored.expiresAt) > world.nowMs());
  caller.expectNothingSpilled();
}
