import fc from 'fast-check';

import { createTokenSource } from '../../client';
import { after, timeLeftMs } from '../../client/clock';
import { tokenExpiry } from '../../client/token-secret-reader';
import { ClientClock, NOON_MS, workIsDone } from './support/client-clock';
import { FakeAws, KEY, MINUTE_MS } from './support/fake-aws';

const SKEW_MS = 300_000;
const skewMs = fc.integer({ min: -SKEW_MS, max: SKEW_MS });
const lifeMs = fc.integer({ min: 1, max: 70 * MINUTE_MS });
const waitMs = fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 20 * MINUTE_MS }));

type Step = { advance: number } | { setOff: number } | { freeze: number } | { store: number };
const passing = fc.oneof(
  fc.record({ advance: waitMs }),
  fc.record({ advance: waitMs }),
  fc.record({ store: lifeMs }),
);

/** The token that the source returns after every step, with its true expiry and the true time. */
async function served(
  steps: readonly Step[],
  firstOffMs: number,
  minValiditySec: number,
  readsOnly: boolean,
) {
  const aws = new FakeAws();
  const { clock } = aws;
  clock.setOff(firstOffMs);
  aws.store(60 * MINUTE_MS);
  const options = readsOnly ? aws.readOnlyOptions() : aws.options();
  const tokens = createTokenSource({ ...options, minValiditySec });
  const answers: { atMs: number; expiresAtMs: number }[] = [];
  for (const step of steps) {
    if ('advance' in step) clock.advance(step.advance);
    if ('setOff' in step) clock.setOff(step.setOff);
    if ('freeze' in step) clock.freeze(step.freeze);
    if ('store' in step) aws.store(step.store);
    try {
      const { expiresAt } = await tokens.getToken(KEY);
      answers.push({ atMs: clock.trueMs, expiresAtMs: Date.parse(expiresAt) });
    } catch {
      // No token is always right.
    }
    await workIsDone();
  }
  return answers;
}

async function nothingExpiredIsServed(steps: fc.Arbitrary<Step>): Promise<void> {
  const least = fc.constantFrom(0, 1, 60, 600);
  const run = fc.array(steps, { minLength: 2, maxLength: 25 });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(run, skewMs, least, fc.boolean(), async (...args) => {
      const answers = await served(...args);
      count += answers.length;
      expect(answers.filter(({ atMs, expiresAtMs }) => expiresAtMs <= atMs)).toEqual([]);
    }),
    { numRuns: 150 },
  );
  expect(count).toBeGreaterThan(300);
}

test('never serves a token past its true expiry, with a wall clock off by 5 minutes and set at any time', () =>
  nothingExpiredIsServed(fc.oneof(passing, fc.record({ setOff: skewMs }))));

test('never serves a token past its true expiry, in a process frozen at any time, with a wall clock off by 5 minutes', () =>
  nothingExpiredIsServed(fc.oneof(passing, fc.record({ freeze: waitMs }))));

const AN_HOUR_MS = 60 * MINUTE_MS;

test.each<[string, number | undefined, number]>([
  ['as stated, with a correct clock', NOON_MS - 1_000, AN_HOUR_MS],
  ['by our clock if the response has no Date header', undefined, AN_HOUR_MS],
  [
    'to the end of the second in the Date header, if our clock is slow',
    NOON_MS + SKEW_MS,
    AN_HOUR_MS - SKEW_MS - 1_000,
  ],
  [
    'so that no valid token is dropped, if our clock is fast',
    NOON_MS - SKEW_MS,
    AN_HOUR_MS + SKEW_MS - 1_000,
  ],
])('the expiry of a token counts %s', (_, serverDateMs, leftMs) => {
  const askedAt = { wallMs: NOON_MS, monotonicMs: 5_000 };

  expect(tokenExpiry(NOON_MS + AN_HOUR_MS, askedAt, serverDateMs)).toEqual(after(askedAt, leftMs));
});

test('a moment is past as soon as one of the two clocks says so', () => {
  const clock = new ClientClock();
  const moment = after({ wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() }, 10_000);

  clock.setOff(-5_000);
  clock.advance(4_000);
  const setBack = timeLeftMs(moment, clock);
  clock.setOff(0);
  clock.freeze(3_000);
  const frozen = timeLeftMs(moment, clock);

  expect([setBack, frozen]).toEqual([6_000, 3_000]);
});
