/**
 * Runs every candidate once a round, so that a noisy neighbour hits all of them, for about as long each.
 * @param candidates `{ name, run(i) }`; `isSync` where `run` gives no promise
 * @returns nanoseconds a call, by candidate and round
 */
export async function race(candidates, rounds, roundMs) {
  const entries = [];
  for (const candidate of candidates) {
    entries.push({ candidate, calls: await callsIn(candidate, roundMs), nanoseconds: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { candidate, calls, nanoseconds } of entries) {
      nanoseconds.push((await elapsedMs(candidate, calls)) * (1e6 / calls));
    }
  }
  return entries.map(({ candidate, nanoseconds }) => ({ name: candidate.name, nanoseconds }));
}

/** Warms up, and finds how many calls take about that long. */
async function callsIn(candidate, roundMs) {
  for (let calls = 16; ; calls *= 2) {
    const ms = await elapsedMs(candidate, calls);
    if (ms > roundMs / 2) return Math.max(1, Math.round((calls * roundMs) / ms));
  }
}

async function elapsedMs({ run, isSync, name }, calls) {
  const startedMs = performance.now();
  const found = isSync ? callSync(run, calls) : await callAsync(run, calls);
  const ms = performance.now() - startedMs;
  if (found !== calls) throw new Error(`${name} gave no token in ${calls - found} of ${calls} calls`);
  return ms;
}

function callSync(run, calls) {
  let found = 0;
  for (let i = 0; i < calls; i += 1) if (run(i)) found += 1;
  return found;
}

async function callAsync(run, calls) {
  let found = 0;
  for (let i = 0; i < calls; i += 1) if (await run(i)) found += 1;
  return found;
}
