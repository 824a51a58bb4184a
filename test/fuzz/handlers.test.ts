import * as fc from 'fast-check';

import { RestoreHandlers } from '../support/restore-api/restore-handlers';
import { checkHandled } from './support/check-handled';
import { forAny } from './support/for-any';
import { behaviorOf, fuzzedAnswer } from './support/fuzzed-platform';
import { fuzzedRequest, handedOn } from './support/fuzzed-requests';
import { IS_FULL } from '../support/test-size';

const REQUESTS = IS_FULL ? 50_000 : 750;
/** CPU time of 99 % of the requests, with AWS and the platform in the same process; more for runs with other tests. */
const MAX_P99_MS = IS_FULL ? 50 : 250;
const TIMEOUT_MS = IS_FULL ? 1_800_000 : 120_000;

let handlers: RestoreHandlers;
beforeAll(async () => (handlers = await RestoreHandlers.start()), RestoreHandlers.START_TIMEOUT_MS);
afterAll(() => handlers?.stop());

test(
  'for any request and any behavior of the platform, the answer is documented, at most one restore is sent, and nothing leaks',
  async () => {
    const cpuMs: number[] = [];
    let restored = 0;

    await forAny(
      fc.tuple(fuzzedRequest, fuzzedAnswer, fuzzedAnswer),
      REQUESTS,
      async ([request, ...answers]) => {
        handlers.platform.behavior = behaviorOf(answers, request.contentId);

        const handled = await handlers.handle(handedOn(request, handlers));

        checkHandled(handled, answers, handlers);
        cpuMs.push(handled.cpuMs);
        if (handled.status === 200) restored += 1;
      },
    );

    const p99 = cpuMs.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99)];
    expect(restored).toBeGreaterThan(REQUESTS / 50);
    expect(p99).toBeLessThan(MAX_P99_MS);
  },
  TIMEOUT_MS,
);
