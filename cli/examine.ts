import { type DeploymentSnapshot } from '../contract/deployment-snapshot';
import { GUARANTEED_LIFE_SEC } from '../contract/lifetimes';
import { type TokenType } from '../contract/platform';
import { type EnsureFailure } from '../contract/token-refresh';
import { type FindingKind } from '../contract/finding-kinds';
import { type Section } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError } from './command-error';
import { ensureToken } from './ensure-token';
import { findingsOf, type Look, lookAt, takeReport } from './look';
import { readSchedules } from './schedules-command';
import { type System } from './system';

/** What token-refresh may know the reason of. */
const ASKED_ABOUT: readonly FindingKind[] = ['token_expired', 'token_low', 'token_missing'];

/** token-refresh runs one at a time, and a few answers tell what all have. */
const MOST_QUESTIONS = 12;

interface Refusal {
  tenantId: string;
  token: TokenType;
  failure: EnsureFailure;
}

/**
 * Looks, also at what starts the functions, and asks token-refresh why tokens were not renewed in time: it tries to renew
 * them, so that what it can't is what stands in the way.
 */
export async function examine(context: CommandContext, system: System, sections: Section[]): Promise<Look[]> {
  const looks = await lookAt(context, system, sections);
  return Promise.all(
    looks.map(async (look) => withReasons(context, system, await withSchedules(context, system, look))),
  );
}

async function withSchedules(context: CommandContext, system: System, look: Look): Promise<Look> {
  if ('failure' in look) return look;
  try {
    const seen = { ...look, schedules: await readSchedules(context, look.deployment) };
    return { ...seen, findings: findingsOf(system, look, seen) };
  } catch (error) {
    return unlessInterrupted(look, error);
  }
}

async function withReasons(context: CommandContext, system: System, look: Look): Promise<Look> {
  if ('failure' in look) return look;
  const asked = look.findings.filter(({ kind }) => ASKED_ABOUT.includes(kind)).slice(0, MOST_QUESTIONS);
  if (asked.length === 0) return look;
  try {
    const refusals: Refusal[] = [];
    for (const { place, token } of asked) {
      const { tenantId } = place;
      if (tenantId === undefined || token === undefined) continue;
      const answer = await ensureToken(context, look.deployment, tenantId, token, GUARANTEED_LIFE_SEC);
      if (!answer.ok) refusals.push({ tenantId, token, failure: answer.error });
    }
    // Some were renewed by being asked about.
    const isOutdated = refusals.length < asked.length;
    const taken = isOutdated ? await takeReport(context, look) : look.snapshot;
    const seen = { ...look, snapshot: addReasons(taken, refusals) };
    return { ...seen, findings: findingsOf(system, look, seen) };
  } catch (error) {
    return unlessInterrupted(look, error);
  }
}

/** What was seen is worth showing without the rest; why that could not be had is a check of its own. */
function unlessInterrupted(look: Look, error: unknown): Look {
  if (!(error instanceof CommandError) || error.code === 'interrupted') throw error;
  return look;
}

function addReasons(snapshot: DeploymentSnapshot, refusals: readonly Refusal[]): DeploymentSnapshot {
  const tenants = snapshot.tenants.map((tenant) => ({
    ...tenant,
    tokens: tenant.tokens.map((token) => {
      const refusal = refusals.find(
        (each) =>
          each.tenantId === tenant.tenantId &&
          each.token.interface === token.interface &&
          each.token.scope === token.scope,
      );
      if (refusal === undefined || token.access !== 'ok') return token;
      const { code, message } = refusal.failure;
      return { ...token, renewalError: { code, message } };
    }),
  }));
  return { ...snapshot, tenants };
}
