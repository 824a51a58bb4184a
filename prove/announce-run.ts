import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type CountedTemplate } from '../lib/costs/inventory';
import { announcement, type Plan, planOf, templatesIn } from './announcement';
import { chosenProbes } from './chosen-probes';
import { newPrefix, platformAt, writeConfiguration } from './configuration';
import { preflight, type Preflight } from './preflight';
import { askWhetherToGoOn, type Prepared } from './program';
import { synthesize } from './synthesize';

/** A run to which the person has agreed. */
export interface AnnouncedRun extends Preflight {
  readonly prefix: string;
  readonly plan: Plan;
}

/**
 * Checks the account, says what a run will do there, what it costs and how long it takes, and asks.
 * @param prefix of the run, if it is resumed
 * @throws {CommandError} `declined`; why nothing can be deployed
 */
export async function announceRun(prepared: Prepared, prefix = newPrefix()): Promise<AnnouncedRun> {
  const { options, caller, terminal, surroundings } = prepared;
  const found = await preflight(caller, surroundings);
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-prove-'));
  try {
    const chosen = chosenProbes(options);
    const isDeployed = chosen.some(({ needs }) => needs === 'latchkey');
    const templates = isDeployed ? await synthesizedTemplates() : [];
    const plan = planOf(prefix, chosen, templates);
    for (const line of announcement(plan, caller, found.notes)) terminal.say(line);
    const { accountId, region } = caller.place;
    await askWhetherToGoOn(prepared, `Deploy to ${accountId}, ${region}?`);
    return { ...found, prefix, plan };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  async function synthesizedTemplates(): Promise<CountedTemplate[]> {
    const config = join(folder, 'latchkey.json');
    writeConfiguration(config, { prefix, place: caller.place, platform: platformAt() });
    const assemblies = (['sandbox', 'latchkey'] as const).map(async (part) => {
      const outDir = join(folder, part);
      await synthesize({ ...surroundings, part, config, outDir, hasLoggingRole: found.hasLoggingRole });
      return templatesIn(outDir);
    });
    return (await Promise.all(assemblies)).flat();
  }
}
