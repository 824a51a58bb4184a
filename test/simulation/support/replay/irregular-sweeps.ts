import { SEED } from '../../../support/test-size';
import { SeededRandom } from '../../../support/live/seeded-random';
import { MINUTE_MS, type Replay } from './replay';

const INTERVAL_MS = 5 * MINUTE_MS;
/**
 * The precision of EventBridge Scheduler.
 * @see Amazon EventBridge Scheduler User Guide, "Schedule types"
 */
const LATEST_MS = MINUTE_MS - 1;
export const SWEEP = Buffer.from('{"action":"sweep"}');

/**
 * Sweeps as Scheduler may start them: up to a minute late, and some twice.
 * @param kills numbers of the sweeps that are killed; the next one starts as late as possible
 */
export async function sweepIrregularly(
  { account, functions, time, arnOf }: Replay,
  forMs: number,
  kills: readonly number[] = [],
): Promise<void> {
  const sweep = arnOf('token-sweep-arn');
  const schedule = [...account.schedules.values()].find(({ targetArn }) => targetArn === sweep)!;
  const random = new SeededRandom(SEED);
  schedule.state = 'DISABLED';
  // Between the full minutes, at which alarms are evaluated.
  await time.advance(MINUTE_MS / 2);
  for (let number = 0; number < forMs / INTERVAL_MS; number += 1) {
    const lateMs = kills.includes(number - 1) ? LATEST_MS : random.between(0, LATEST_MS);
    await time.advance(lateMs);
    if (kills.includes(number)) functions.kills.set(sweep, 1);
    functions.invokeAsync(sweep, SWEEP);
    if (random.chance(0.2)) functions.invokeAsync(sweep, SWEEP);
    await time.advance(INTERVAL_MS - lateMs);
  }
  schedule.state = 'ENABLED';
}
