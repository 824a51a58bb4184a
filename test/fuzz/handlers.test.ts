import * as fc from 'fast-check';

import { RestoreHandlers } from '../support/restore-api/restore-handlers';
import { checkHandled } from './support/check-handled';
import { forAny } from './support/for-any';
import { behaviorOf, fuzzedAnswer } from './support/fuzzed-platform';
import { fuzzedRequest, handedOn } from './support/fuzzed-requests';
import { IS_FULL, printFigures, SEED } from '../support/test-size';

const REQUESTS = IS_FULL ? 50_000 : 750;
/** The target, as CPU time including AWS and the platform in the same process. */
const GOAL_P99_MS = 50;
/** Much more than the target, for jest runs with other tests. */
const MAX_P99_MS = IS_FULL ? GOAL_P99_MS : 250;
const TIMEOUT_MS = IS_FULL ? 1_800_000 : 120_000;

let handlers: RestoreHandlers;
let figures = '';
beforeAll(async () => (handlers = await RestoreHandlers.start()), RestoreHandlers.START_TIMEOUT_MS);
afterAll(async () => {
  await handlers?.stop();
  printFigures(figures);
});

test(
  'for any request and any behavior of the platform, the answer is documented, at most one restore is sent, and nothing leaks',
  async () => {
    const cpuMs: number[] = [];
    const statuses = new Map<number, number>();

    await forAny(
      fc.tuple(fuzzedRequest, fuzzedAnswer, fuzzedAnswer),
      REQUESTS,
      async ([request, ...answers]) => {
        handlers.platform.behavior = behaviorOf(answers, request.contentId);

        const handled = await handlers.handle(handedOn(request, handlers));

        checkHandled(handled, answers, handlers);
        cpuMs.push(handled.cpuMs);
        statuses.set(handled.status, (statuses.get(handled.status) ?? 0) + 1);
      },
    );

    const [median, p99, slowest] = [0.5, 0.99, 1].map((share) => percentile(cpuMs, share));
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    figures =
      `fuzzing, ${REQUESTS} requests, seed ${SEED}: ${counts.join(', ')}; ms of the processor: ` +
      `median ${median!.toFixed(1)}, p99 ${p99!.toFixed(1)} (goal ${GOAL_P99_MS}), most ${slowest!.toFixed(1)}`;
    expect(statuses.get(200)).toBeGreaterThan(REQUESTS / 50);
    expect(p99).toBeLessThan(MAX_P99_MS);
  },
  TIMEOUT_MS,
);

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
