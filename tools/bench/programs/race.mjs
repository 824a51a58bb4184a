/**
 * Runs every candidate once per round, for about the same time each, so that a noisy neighbor affects all of them.
 * @param candidates `{ name, run(i) }`, with `isSync` if `run` returns no promise; `run` returns false if it failed
 * @returns nanoseconds per call, by candidate and round
 */
export async function race(candidates, rounds, roundMs) {
  const entries = [];
  for (const candidate of candidates) {
    entries.push({ candidate, calls: await callsIn(candidate, roundMs), nanoseconds: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { candidate, calls, nanoseconds } of entries) {
      // Reopens a connection that was closed in the meantime.
      await elapsedMs(candidate, 1);
      nanoseconds.push((await elapsedMs(candidate, calls)) * (1e6 / calls));
    }
  }
  return entries.map(({ candidate, nanoseconds }) => ({ name: candidate.name, nanoseconds }));
}

/**
 * Calls every candidate once per round, in a new order each time. So each call follows the work of any other candidate, as a
 * function's call follows other work, and finds no cache warmed by a loop of its kind.
 * @param candidates `{ name, run() }` whose `run` returns a promise of false if it failed
 * @param settle called before each call, so that a call does not pay for what the one before left behind
 * @returns nanoseconds of each call, by candidate and round
 */
export async function alternate(candidates, rounds, warmUpRounds, settle) {
  const entries = candidates.map((candidate) => ({ candidate, nanoseconds: [] }));
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const { candidate, nanoseconds } of shuffled(entries)) {
      await settle();
      const ns = (await elapsedMs(candidate, 1)) * 1e6;
      if (round >= 0) nanoseconds.push(ns);
    }
  }
  return entries.map(({ candidate, nanoseconds }) => ({ name: candidate.name, nanoseconds }));
}

/** By Fisher and Yates. */
function shuffled(list) {
  const items = [...list];
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
  return items;
}

/** Warms up, and finds how many calls take about `roundMs`. */
async function callsIn(candidate, roundMs) {
  for (let calls = 16; ; calls *= 2) {
    const ms = await elapsedMs(candidate, calls);
    if (ms > roundMs / 2) return Math.max(1, Math.round((calls * roundMs) / ms));
  }
}

async function elapsedMs({ run, isSync, name }, calls) {
  const startedMs = performance.now();
  const succeeded = isSync ? callSync(run, calls) : await callAsync(run, calls);
  const ms = performance.now() - startedMs;
  if (succeeded !== calls) throw new Error(`${name} failed in ${calls - succeeded} of ${calls} calls`);
  return ms;
}

function callSync(run, calls) {
  let succeeded = 0;
  for (let i = 0; i < calls; i += 1) if (run(i)) succeeded += 1;
  return succeeded;
}

async function callAsync(run, calls) {
  let succeeded = 0;
  for (let i = 0; i < calls; i += 1) if (await run(i)) succeeded += 1;
  return succeeded;
}
