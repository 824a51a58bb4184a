import { type TokenValue } from '../../../core/secrets/secret-values';
import { type EnsureAnswer } from '../../../core/tokens/token-refresh';
import { sha256Hex } from '../../../core/secrets/sha256';
import { injectAwsFault } from '../support/aws-faults';
import { assertCommonSet } from '../support/common-set';
import { type Draw } from '../support/draw';
import { expectNotRenewed, expectRenewed } from '../support/outcome';
import { tokenRow } from '../support/token-row';
import { type VirtualWorld } from '../support/virtual-world';
import { drawSituation, type Invocation, type Situation, type World } from '../support/world';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** Write attempts of one renewal; the SDK sends each several times. */
const ROUNDS = 5;
const SDK_ATTEMPTS = 3;
/** Maximum number of versions in Secrets Manager. */
const VERSION_QUOTA = 100;
const MOST_VERSIONS_A_DAY = 96;

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
  async virtual(world, variant, draw) {
    const { exception: name, refused: times } = variant;
    world.secrets.faults.push({ operation: 'PutSecretValue', name, times });

    const invocation = await world.invoke();

    expectKeptOrRenewed(world, variant, invocation);
    expect(world.secrets.commandsOf('PutSecretValue').length).toBeLessThanOrEqual(ROUNDS);
    world.secrets.faults.length = 0;
    await spendADay(world, draw);
  },
  async wire(world, variant) {
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
function expectKeptOrRenewed(world: World, { exception, refused }: Variant, invocation: Invocation): void {
  const isForGood = exception === 'LimitExceededException' || refused >= ROUNDS;
  if (isForGood) expectNotRenewed(world, invocation, 'store_unavailable');
  else expectRenewed(world, invocation);
  expect(world.platform.requests).toHaveLength(1);
  const fault = exception === 'ThrottlingException' ? 'store_throttled' : 'store_limit_exceeded';
  assertCommonSet(world, { [fault]: 1 });
}

/**
 * Every second write is refused, callers ask every minute, and each token is reported as rejected by the
 * platform.
 */
async function spendADay(world: VirtualWorld, draw: Draw): Promise<void> {
  await world.invoke('ensure');
  for (let minute = 0; minute < DAY_MINUTES; minute += 1) {
    world.clock.advance(MINUTE_MS);
    const stored = JSON.parse(world.versions().at(-1)!.secretString) as TokenValue;
    const times = draw.oneOf([0, ROUNDS]);
    world.secrets.faults.push({ operation: 'PutSecretValue', name: 'ThrottlingException', times });
    await world.invoke('ensure', undefined, { rejectedTokenSha256: sha256Hex(stored.accessToken) });
    if (minute % 5 === 0) await world.invoke('sweep');
    if (draw.next() < 0.1) world.startNewProcess();

    const answer = (await world.invoke('ensure')).answer as EnsureAnswer;

    world.secrets.faults.length = 0;
    expect(answer.ok).toBe(true);
  }
  const lastDay = world
    .versions()
    .filter(({ writtenAtMs }) => world.nowMs() - writtenAtMs < DAY_MINUTES * MINUTE_MS);
  expect(lastDay.length).toBeLessThanOrEqual(MOST_VERSIONS_A_DAY);
  assertCommonSet(world);
}
