import { type AccessToken, type TokenSourceOptions } from '../../../client';
import { CallerProcess } from '../support/caller-process';
import { assertCommonSet } from '../support/common-set';
import { deployFunction } from '../support/invoked-function';
import { VirtualAws } from '../support/virtual-aws';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation, type World } from '../support/world';

const DEPLOYED = ['one at a time', 'without a cap'] as const;

interface Variant extends Situation {
  callers: number;
  processes: number;
  /** The reserved concurrency of token-refresh: 1 or none. Over the wire both run. */
  deployed: (typeof DEPLOYED)[number];
  /** Latency of the platform's answers. */
  latencyMs: number;
}

/** F20: many callers need a token at once, and the stored one is not usable. */
export const PARALLEL_CALLERS = tokenRow<Variant>({
  id: 'F20',
  fault: '2 to 100 callers in up to 8 processes find no usable token at once',
  variant: (draw, where) => ({
    ...drawSituation(draw),
    stored: draw.oneOf(['none', 'ending']),
    callers: draw.oneOf([draw.integer(2, 8), 100, draw.integer(9, 99)]),
    processes: draw.oneOf(where === 'wire' ? [4] : [1, 3, 8]),
    deployed: draw.oneOf(DEPLOYED),
    latencyMs: where === 'wire' ? 0 : draw.oneOf([0, 5, 700]),
  }),
  async virtual(world, variant) {
    const aws = new VirtualAws(world);
    const isCapped = variant.deployed === 'one at a time';
    if (isCapped) aws.reservedConcurrency = 1;
    world.transport.latencyMs = variant.latencyMs;

    const options = { ...aws.options(), tokenRefresh: 'token-refresh' };
    await expectOneRenewal(world, variant, isCapped, options);
  },
  onWire: (variant) => DEPLOYED.map((deployed) => ({ ...variant, deployed })),
  async wire(world, variant) {
    const isCapped = variant.deployed === 'one at a time';
    const tokenRefresh = deployFunction(world, isCapped ? 1 : undefined);
    await expectOneRenewal(world, variant, isCapped, { tokenRefresh });
  },
});

async function expectOneRenewal(
  world: World,
  { callers, processes }: Variant,
  isCapped: boolean,
  options: TokenSourceOptions,
): Promise<void> {
  const all = Array.from({ length: processes }, () => new CallerProcess(world, options));

  const tokens = await Promise.all(
    Array.from({ length: callers }, (_, number) => all[number % processes]!.ask()),
  );

  const { accessToken } = tokens[0] as AccessToken;
  expect(tokens.filter((token) => (token as AccessToken).accessToken !== accessToken)).toEqual([]);
  expect(world.versions()).toHaveLength(world.before.length + 1);
  expect(world.versions().at(-1)!.secretString).toContain(JSON.stringify(accessToken));
  expect(world.platform.requests.length).toBeLessThanOrEqual(isCapped ? 1 : Math.min(processes, callers));
  expect(world.metrics().TokenRenewed).toBe(1);
  for (const caller of all) caller.expectNothingSpilled();
  assertCommonSet(world, isCapped ? {} : undefined);
}
