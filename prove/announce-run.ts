import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type PlatformAddresses } from '../contract/deployment-file';
import { type CountedTemplate } from '../lib/costs/inventory';
import { announcement, type Plan, planOf, templatesIn } from './announcement';
import { chosenProbes } from './chosen-probes';
import { newPrefix } from './configuration';
import { preflight, type Preflight } from './preflight';
import { askWhetherToGoOn, type Prepared } from './program';
import { synthesizeRun } from './synthesize';

/** A run to which the person has agreed. */
export interface AnnouncedRun extends Preflight {
  readonly prefix: string;
  readonly plan: Plan;
}

/**
 * Checks the account, says what a run will do there, what it costs and how long it takes, and asks.
 * @throws {CommandError} `declined`; why nothing can be deployed
 */
export async function announceRun(prepared: Prepared): Promise<AnnouncedRun> {
  const { options, caller, terminal, surroundings } = prepared;
  const found = await preflight(caller, surroundings);
  const prefix = newPrefix();
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
    const { assemblyDir } = await synthesizeRun({
      ...surroundings,
      ...{ folder, hasLoggingRole: found.hasLoggingRole },
      configuration: {
        prefix,
        place: caller.laptop === undefined ? caller.place : undefined,
        platform: caller.laptop === undefined ? UNKNOWN_PLATFORM : UNKNOWN_LOCAL_PLATFORM,
      },
    });
    return templatesIn(assemblyDir);
  }
}

/** Of the sandbox, before it is deployed. */
const UNKNOWN_PLATFORM = addressesAt('https://sandbox.example.com');
const UNKNOWN_LOCAL_PLATFORM = addressesAt('https://127.0.0.1:8443');

function addressesAt(origin: string): PlatformAddresses {
  return { contentBaseUrl: `${origin}/rest/v1`, contentTokenBaseUrl: `${origin}/auth` };
}
