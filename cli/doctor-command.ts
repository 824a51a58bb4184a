import { deploymentName } from '../contract/token-key';
import { applyRepair, describeRepair, type Repair } from './apply-fix';
import { type Check, checkAccess } from './check-access';
import { chooseSections, type Section } from './choose-tenant';
import { type CommandContext, type TenantFlags } from './command';
import { errorDocument, usageError } from './command-error';
import { doctorText, type TriedRepair } from './doctor-view';
import { examine } from './examine';
import { EXIT, type ExitCode } from './exit-codes';
import { exitCodeOf, type Look, looksDocument } from './look';
import { lookAgain } from './look-again';
import { type Deployment, type System } from './system';

/** A repair may uncover what the next one has to mend; more than a few in a row lead nowhere. */
const MOST_ROUNDS = 5;

export interface DoctorFlags extends TenantFlags {
  fix?: boolean;
  yes?: boolean;
}

/**
 * `latchkey doctor`: what is wrong, what it means for callers and what mends it; with `--fix` it is mended, as far as a
 * program can.
 * @throws {CommandError}
 */
export async function doctor(context: CommandContext, flags: DoctorFlags): Promise<ExitCode> {
  const { terminal } = context;
  if (flags.fix === true && flags.yes !== true && !terminal.isInteractive) {
    throw usageError('--fix: found nobody who could agree; allowed: at a terminal, or with --yes');
  }
  const system = await context.system();
  const sections = chooseSections(system, flags);
  const progress = terminal.progress('Looking');
  const [checks, found] = await Promise.all([
    checkAccess(context, sections),
    examine(context, system, sections),
  ]).finally(() => progress.done('Looked'));
  const { looks, tried } =
    flags.fix === true
      ? await repairAll(context, system, sections, found, flags)
      : { looks: found, tried: [] };
  terminal.result(
    {
      ...looksDocument(looks),
      checks: checks.map(checkDocument),
      ...(flags.fix === true && { repairs: tried }),
    },
    (style) => doctorText({ looks, checks, tried }, style),
  );
  if (tried.some(({ isUnfinished }) => isUnfinished === true)) return EXIT.outcomeUnknown;
  return exitCode(looks, checks);
}

/** Mends, looks again, and so on, until nothing is left that a program can mend, or nothing changes any more. */
async function repairAll(
  context: CommandContext,
  system: System,
  sections: Section[],
  found: Look[],
  { yes = false }: DoctorFlags,
): Promise<{ looks: Look[]; tried: TriedRepair[] }> {
  const { terminal } = context;
  const tried: TriedRepair[] = [];
  const mended = new Set<Deployment>();
  let looks = found;
  let before = '';
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const repairs = repairsIn(looks);
    const now = JSON.stringify(repairs.map(({ fix }) => fix));
    if (repairs.length === 0 || now === before) break;
    before = now;
    for (const repair of repairs) terminal.say(`  ${describeRepair(repair)}`);
    if (!yes && !(await terminal.confirm(repairs.length === 1 ? 'Do this?' : `Do these ${repairs.length}?`)))
      break;
    for (const repair of repairs) {
      const outcome = await applyRepair(context, system, repair);
      tried.push({ repair: describeRepair(repair), ...outcome });
      if (outcome.isDone) mended.add(repair.deployment);
    }
    looks = await examine(context, system, sections);
  }
  await Promise.all([...mended].map((deployment) => lookAgain(context, deployment)));
  return { looks, tried };
}

/** What a program can mend; what two findings need is done once. */
function repairsIn(looks: readonly Look[]): Repair[] {
  const repairs = new Map<string, Repair>();
  for (const look of looks) {
    if ('failure' in look) continue;
    const { deployment } = look;
    for (const finding of look.findings) {
      const { fix } = finding.repair;
      if (fix === undefined) continue;
      const tenantId = fix.action === 'sweep' ? undefined : finding.place.tenantId;
      const name = JSON.stringify([deploymentName(deployment), tenantId, fix]);
      if (!repairs.has(name)) repairs.set(name, { deployment, finding, fix });
    }
  }
  return [...repairs.values()];
}

function exitCode(looks: readonly Look[], checks: readonly Check[]): ExitCode {
  const failed = checks.flatMap(({ failure }) => failure?.exitCode ?? []);
  return Math.max(exitCodeOf(looks), ...failed, EXIT.done) as ExitCode;
}

function checkDocument({ environment, platformRegion, name, failure }: Check): object {
  const place = { environment, platformRegion, name, ok: failure === undefined };
  if (failure === undefined) return place;
  return { ...place, error: errorDocument(failure) };
}
