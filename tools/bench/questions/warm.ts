import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildClient } from '../build';
import { count, median, nanoseconds, ratio } from '../figures';
import { Program } from '../child-program';
import { type BenchOptions, type Answer, type Goal, roundsOf } from '../question';

/** Names of candidates in the programs. */
const LIMIT = 'LIMIT: 5 fields joined + Map.get + end';
const LOOKUP = 'latchkey/client: lookup, synchronous';
const GET_TOKEN = 'latchkey/client: getToken(), awaited';
const POWERTOOLS = 'Powertools, name built from the 5 fields';
const MIDDY = 'middy + @middy/secrets-manager';

/** Measures how long it takes to read a token from memory. */
export async function warm(options: BenchOptions): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-warm-'));
  const clientFile = join(folder, 'client.js');
  writeFileSync(clientFile, buildClient().text);
  const program = new Program('warm.mjs', { arguments: [clientFile] });
  try {
    const rounds = roundsOf(options, 21, 3);
    options.progress(`warm: ${rounds} rounds`);
    const results = await program.ask<{ name: string; nanoseconds: number[] }[]>({ rounds, roundMs: 40 });
    const medians = new Map(results.map((result) => [result.name, median(result.nanoseconds)]));
    const limit = medians.get(LIMIT)!;
    return {
      tables: [
        {
          title: `Warm read in memory: 64 requests over 16 tenants, median of ${rounds} rounds`,
          columns: ['candidate', 'a call', 'calls/s', 'against LIMIT'],
          rows: [...medians].map(([name, ns]) => [
            name,
            nanoseconds(ns),
            count(Math.round(1e9 / ns)),
            ratio(ns, limit),
          ]),
        },
      ],
      goals: goals(medians),
    };
  } finally {
    await program.stop();
    rmSync(folder, { recursive: true });
  }
}

function goals(medians: Map<string, number>): Goal[] {
  const goal = (number: number, ours: string, other: string, atMost: number): Goal => {
    const times = medians.get(ours)! / medians.get(other)!;
    return {
      number,
      subject: `${ours}, against ${other}`,
      wanted: `<= ${atMost}x`,
      measured: ratio(times, 1),
      isMet: times <= atMost,
      isTimed: true,
    };
  };
  return [
    goal(1, LOOKUP, LIMIT, 1),
    goal(1, LOOKUP, POWERTOOLS, 0.7),
    goal(2, GET_TOKEN, LIMIT, 1.5),
    goal(2, GET_TOKEN, MIDDY, 1 / 5),
  ];
}
