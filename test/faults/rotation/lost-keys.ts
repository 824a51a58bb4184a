import { expectFixed, expectSound } from '../../simulation/support/fixed';
import { OperatedDeployment } from '../../simulation/support/operated-deployment';
import { generate } from '../../simulation/support/operations';
import { serviceException } from '../../support/aws/simulated-secrets-manager';
import { findCanaries } from '../../support/canaries';
import { MINUTE_MS } from '../../support/lambdas/token-functions';
import { faultRow } from '../support/fault-row';
import { KillPoints } from '../support/kill-points';
import { withCommandWorld } from './command-world';

interface Variant {
  /** Whether an API key was loaded before. */
  loaded: boolean;
  /** A temporary failure of writes, and whether they are executed nonetheless. */
  passing: { name: 'ThrottlingException' | 'InternalServiceError' | 'TimeoutError'; isDone: boolean };
  /** A permanent failure of writes. */
  lasting: 'AccessDeniedException' | 'InvalidRequestException' | 'EncryptionFailure';
}

/** F26: the tenant service has generated a key that is not stored yet. */
export const LOST_KEYS = faultRow<Variant>({
  id: 'F26',
  fault: 'the command dies or cannot write between generating a key and storing it',
  variant: (draw) => ({
    loaded: draw.oneOf([true, false]),
    passing: {
      name: draw.oneOf(['ThrottlingException', 'InternalServiceError', 'TimeoutError']),
      isDone: draw.oneOf([true, false]),
    },
    lasting: draw.oneOf(['AccessDeniedException', 'InvalidRequestException', 'EncryptionFailure']),
  }),
  virtual: (variant) => expectNothingLost(variant, generate),
  wire: (variant) =>
    withCommandWorld(async (world) => {
      const killed = await world.generate({ killAtWrite: true });
      expect(killed).toMatchObject({ exitCode: null, stdout: '' });
      world.expectNothingStored({ generated: 1 });

      const denied = await world.generate({ writesFailWith: variant.lasting });
      expect(denied.stdout).toContain('key_not_stored');
      world.expectNothingStored({ generated: 2 });
    }),
  hole: {
    words: 'a command that failed restarts on its own',
    run: (variant) =>
      expectNothingLost(variant, async (...args) => {
        const outcome = await generate(...args);
        if (outcome !== 'done') await generate(args[0]);
        return outcome;
      }),
  },
});

function arrange({ loaded }: Variant): Promise<OperatedDeployment> {
  return loaded ? OperatedDeployment.create('api-key') : OperatedDeployment.empty('api-key');
}

/** @param run runs the command, which generates a key */
async function expectNothingLost(variant: Variant, run: typeof generate): Promise<void> {
  // On virtual time, signals of real timeouts are useless.
  const signals = jest.spyOn(AbortSignal, 'timeout');
  signals.mockImplementation(() => new AbortController().signal);
  const generateUnseen: typeof generate = async (operated, points) => {
    const outcome = await run(operated, points);
    const shown = [{ place: 'the terminal', text: operated.terminal.visibleText() }];
    expect(findCanaries(operated.platform.canaries, shown)).toEqual([]);
    return outcome;
  };
  try {
    await expectKilledHarmless(variant, generateUnseen);
    await expectRepeated(variant, generateUnseen);
    await expectLossTold(variant, generateUnseen);
  } finally {
    signals.mockRestore();
  }
}

/**
 * After a kill at any point at most one key was generated, the old one works, and the new one is promoted if
 * it was stored.
 */
async function expectKilledHarmless(variant: Variant, run: typeof generate): Promise<void> {
  const counted = new KillPoints();
  expect(await run(await arrange(variant), counted)).toBe('done');
  for (let point = 1; point <= counted.passed; point += 1) {
    const operated = await arrange(variant);
    const old = operated.valueAt('AWSCURRENT');

    expect(await run(operated, new KillPoints(point))).toBe('killed');

    await operated.time.advance(11 * MINUTE_MS);
    expectSound(operated);
    const [key, ...more] = operated.platform.generated;
    expect(more).toEqual([]);
    await expectFixed(operated, () => [versionsOf(operated, key) > 0 ? key : old]);
  }
}

/** The command repeats a temporarily failing write, which adds one version. It does not repeat the mutation. */
async function expectRepeated(variant: Variant, run: typeof generate): Promise<void> {
  const operated = await arrange(variant);
  const { name, isDone } = variant.passing;
  let failures = 2;
  operated.atWrite = async (write) => {
    failures -= 1;
    if (failures < 0) return write();
    if (isDone) await write();
    throw serviceException(name);
  };

  expect(await run(operated)).toBe('done');

  const [key, ...more] = operated.platform.generated;
  expect(more).toEqual([]);
  expect(operated.valueAt('AWSCURRENT')).toBe(key);
  // The candidate, and the pending version made from it.
  expect(versionsOf(operated, key)).toBe(variant.loaded ? 2 : 1);
  expectSound(operated);
}

/** After a permanent failure, the command reports that a key exists that was not stored. */
async function expectLossTold(variant: Variant, run: typeof generate): Promise<void> {
  const operated = await arrange(variant);
  const old = operated.valueAt('AWSCURRENT');
  operated.atWrite = () => Promise.reject(serviceException(variant.lasting));

  expect(await run(operated)).toBe('key_not_stored');

  const [key, ...more] = operated.platform.generated;
  expect(more).toEqual([]);
  expect(versionsOf(operated, key)).toBe(0);
  expect(operated.valueAt('AWSCURRENT')).toBe(old);
  operated.atWrite = (write) => write();
  expect(await run(operated)).toBe('done');
  expect(operated.valueAt('AWSCURRENT')).toBe(operated.platform.generated.at(-1));
  expectSound(operated);
}

function versionsOf(operated: OperatedDeployment, value: string | undefined): number {
  return operated
    .versions()
    .filter(({ secretString }) => secretString !== undefined && secretString === value).length;
}
