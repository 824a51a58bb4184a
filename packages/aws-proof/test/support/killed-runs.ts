import { setImmediate } from 'node:timers/promises';

import { cleanUp } from '../../src/clean-up/clean-up';
import { findRuns } from '../../src/clean-up/find-runs';
import { type SeededRandom } from '../../../../test/support/live/seeded-random';
import { type Moments, type ProvenAccount } from './proven-account';

interface KilledRuns {
  readonly kills: number;
  readonly prefixOf: () => string;
  readonly random: SeededRandom;
  /** What each run deploys besides. @default nothing */
  readonly assemblies?: readonly string[];
}

/**
 * Kills runs at random moments, half of them before their removal begins, and the next removal as well; then removes whatever is
 * found.
 * @returns what is in the account before all and after each
 */
export async function killRuns(
  proven: ProvenAccount,
  { kills, prefixOf, random, assemblies }: KilledRuns,
): Promise<{ before: string[]; after: string[][]; figures: string }> {
  const below = (limit: number) => Math.floor(random.next() * limit);
  const before = proven.contents();
  const all = new Counted(Infinity);
  const whole = prefixOf();
  await proven.useFor(whole, all, assemblies);
  const inRun = all.passed;
  const used = proven.contents().length - before.length;
  await cleanUp(proven.recordOf(whole)!, proven.options(all));
  const after: string[][] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const prefix = prefixOf();
    const first = new Counted(kill % 2 === 0 ? below(inRun) : inRun + below(all.passed - inRun));
    const run = proven
      .useFor(prefix, first, assemblies)
      .then(() => cleanUp(proven.recordOf(prefix)!, proven.options(first)));
    await Promise.race([run, first.death]);
    const second = new Counted(below(all.passed - inRun));
    const record = proven.recordOf(prefix);
    if (record) await Promise.race([cleanUp(record, proven.options(second)), second.death]);

    for (const found of await findRuns(proven.options())) await cleanUp(found, proven.options());
    after.push(proven.contents());
  }
  const left = after.flat().length - kills * before.length;
  const figures =
    `${kills} runs that create ${used} things killed at one of ${all.passed} moments, half of them before their removal, and ` +
    `each removal killed again; left behind: ${left} but keys in deletion`;
  return { before, after, figures };
}

/** Moments of a process that dies at one of them. */
class Counted implements Moments {
  passed = 0;
  readonly death: Promise<void>;
  readonly #diesAt: number;
  #die!: () => void;

  constructor(diesAt: number) {
    this.#diesAt = diesAt;
    this.death = new Promise((resolve) => (this.#die = resolve));
  }

  async pass(): Promise<void> {
    if (this.passed++ < this.#diesAt) return setImmediate();
    this.#die();
    return new Promise(() => undefined);
  }
}
