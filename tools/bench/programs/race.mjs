/**
 * Runs every candidate once per round, for about the same time each, so that a noisy neighbor affects all of them.
 * @param candidates `{ name, run(i) }`, with `isSync` if `run` returns no promise; `run` returns false if it failed
 * @param warmUpCalls of each candidate before the rounds, for code that is compiled late
 * @param nowMs the clock; {@link cpuMs} to count only the process's own work
 * @returns nanoseconds per call, by candidate and round
 */
export async function race(candidates, rounds, roundMs, { warmUpCalls = 0, nowMs = wallMs } = {}) {
  const entries = [];
  for (const candidate of candidates) {
    await elapsedMs(candidate, warmUpCalls, nowMs);
    entries.push({ candidate, calls: await callsIn(candidate, roundMs, nowMs), nanoseconds: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { candidate, calls, nanoseconds } of entries) {
      // Reopens a connection that was closed in the meantime.
      await elapsedMs(candidate, 1, nowMs);
      nanoseconds.push((await elapsedMs(candidate, calls, nowMs)) * (1e6 / calls));
    }
  }
  return entries.map(({ candidate, nanoseconds }) => ({ name: candidate.name, nanoseconds }));
}

const wallMs = () => performance.now();

/** CPU time of this process with all its threads. Waiting for a core does not count. */
export function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Warms up, and finds how many calls take about `roundMs`. */
async function callsIn(candidate, roundMs, nowMs) {
  for (let calls = 16; ; calls *= 2) {
    const ms = await elapsedMs(candidate, calls, nowMs);
    if (ms > roundMs / 2) return Math.max(1, Math.round((calls * roundMs) / ms));
  }
}

async function elapsedMs({ run, isSync, name }, calls, nowMs) {
  const startedMs = nowMs();
  const found = isSync ? callSync(run, calls) : await callAsync(run, calls);
  const ms = nowMs() - startedMs;
  if (found !== calls) throw new Error(`${name} failed in ${calls - found} of ${calls} calls`);
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
