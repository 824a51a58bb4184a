import { type WireWorld } from '../support/wire-world';
import { injectAwsFault } from '../support/aws-faults';
import { assertCommonSet } from '../support/common-set';
import { expectNotRenewed, expectRenewed } from '../support/outcome';
import { tokenRow } from '../support/token-row';
import { drawSituation, type Invocation, type Situation } from '../support/world';

/** Write attempts of one renewal; the SDK sends each several times. */
const ROUNDS = 5;
const SDK_ATTEMPTS = 3;
/** Maximum number of versions in Secrets Manager. */
const VERSION_QUOTA = 100;

interface Variant extends Situation {
  exception: 'ThrottlingException' | 'LimitExceededException';
  /** How many attempts of the renewal are refused. */
  refused: number;
}

/** F15: Secrets Manager refuses a new version. */
export const THROTTLED_WRITES = tokenRow<Variant>({
  id: 'F15',
  fault: 'Secrets Manager throttles writes, or has too many versions',
  variant: (draw) => ({
    ...drawSituation(draw),
    exception: draw.oneOf(['ThrottlingException', 'LimitExceededException']),
    refused: draw.oneOf([1, 2, ROUNDS]),
  }),
  async run(world, variant) {
    await injectAwsFault(world.aws, {
      operation: 'PutSecretValue',
      error: variant.exception,
      times: variant.refused * SDK_ATTEMPTS,
    });

    const invocation = await world.invoke();

    expectKeptOrRenewed(world, variant, invocation);
    expect(world.gate.count('PutSecretValue')).toBeLessThanOrEqual(ROUNDS * SDK_ATTEMPTS);
    world.startNewProcess();
    const { versions } = world.tokenSecret;
    for (let filler = versions.size; filler < VERSION_QUOTA; filler += 1) {
      const versionId = `filler-of-the-version-quota-number-${filler}`;
      versions.set(versionId, {
        versionId,
        createdAtMs: Date.now(),
        secretString: '{}',
        stages: new Set(),
      });
    }
    const { answer } = await world.invoke('ensure', undefined, { minValiditySec: 0 });
    if (world.before.length > 0) expect(answer).toMatchObject({ ok: true });
    else expect(world.visible().at(-1)!.text).toContain('LimitExceededException');
    expect(versions.size).toBe(VERSION_QUOTA);
  },
});

/** Too many versions do not go away within seconds, so there is one attempt. */
function expectKeptOrRenewed(
  world: WireWorld,
  { exception, refused }: Variant,
  invocation: Invocation,
): void {
  const isForGood = exception === 'LimitExceededException' || refused >= ROUNDS;
  if (isForGood) expectNotRenewed(world, invocation, 'store_unavailable');
  else expectRenewed(world, invocation);
  expect(world.platform.requests).toHaveLength(1);
  const fault = exception === 'ThrottlingException' ? 'store_throttled' : 'store_limit_exceeded';
  assertCommonSet(world, { [fault]: 1 });
}
