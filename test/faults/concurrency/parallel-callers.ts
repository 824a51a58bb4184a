import { type AccessToken, type TokenSourceOptions } from '../../../client';
import { type WireWorld } from '../support/wire-world';
import { CallerProcess } from '../support/caller-process';
import { assertCommonSet } from '../support/common-set';
import { deployFunction } from '../support/invoked-function';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Situation } from '../support/world';

const PROCESSES = 4;
const DEPLOYED = ['one at a time', 'without a cap'] as const;

interface Variant extends Situation {
  callers: number;
  /** The reserved concurrency of token-refresh: 1 or none. Both run. */
  deployed: (typeof DEPLOYED)[number];
}

/** F20: many callers need a token at once, and the stored one is not usable. */
export const PARALLEL_CALLERS = tokenRow<Variant>({
  id: 'F20',
  fault: '2 to 100 callers in four processes find no usable token at once',
  variant: (draw) => ({
    ...drawSituation(draw),
    stored: draw.oneOf(['none', 'ending']),
    callers: draw.oneOf([draw.integer(2, 8), 100, draw.integer(9, 99)]),
    deployed: draw.oneOf(DEPLOYED),
  }),
  variants: (variant) => DEPLOYED.map((deployed) => ({ ...variant, deployed })),
  async run(world, variant) {
    const isCapped = variant.deployed === 'one at a time';
    const tokenRefresh = deployFunction(world, isCapped ? 1 : undefined);
    await expectOneRenewal(world, variant, isCapped, { tokenRefresh });
  },
});

async function expectOneRenewal(
  world: WireWorld,
  { callers }: Variant,
  isCapped: boolean,
  options: TokenSourceOptions,
): Promise<void> {
  const all = Array.from({ length: PROCESSES }, () => new CallerProcess(world, options));

  const tokens = await Promise.all(
    Array.from({ length: callers }, (_, number) => all[number % PROCESSES]!.ask()),
  );

  const { accessToken } = tokens[0] as AccessToken;
  expect(tokens.filter((token) => (token as AccessToken).accessToken !== accessToken)).toEqual([]);
  expect(world.versions()).toHaveLength(world.before.length + 1);
  expect(world.versions().at(-1)!.secretString).toContain(JSON.stringify(accessToken));
  expect(world.platform.requests.length).toBeLessThanOrEqual(isCapped ? 1 : Math.min(PROCESSES, callers));
  expect(world.metrics().TokenRenewed).toBe(1);
  for (const caller of all) caller.expectNothingSpilled();
  assertCommonSet(world, isCapped ? {} : undefined);
}
