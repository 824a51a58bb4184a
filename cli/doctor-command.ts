import { deploymentKeyOf, deploymentName, deploymentText } from '../core/tokens/token-key';
import { describeFix, type FixableFinding } from './apply-fix';
import { applyFixes } from './apply-fixes';
import { type Check, checkAccess } from './check-access';
import {
  type ChosenDeployment,
  patternsOf,
  pickDeployments,
  placeFlagsOf,
  type TenantsFlags,
} from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError, errorDocument } from './command-error';
import { tenantCommand, commandText } from './command-text';
import { inspectForDoctor, MAX_QUESTIONS, storedTokens } from './doctor-inspection';
import { doctorText, stoppedText, type TriedFix } from './doctor-view';
import { EXIT, type ExitCode } from './exit-codes';
import { countText, whereText } from './findings-view';
import { type Inspection, inspectionExitCode, inspectionsDocument } from './inspect-deployments';
import { startCredentialWatch } from './start-credential-watch';
import { type Deployment, type System } from './system';
import { type FlagsOf } from './options';
import { type Terminal } from './terminal';

/** A fix can uncover a fault that needs another; more rounds than this never converge. */
const MAX_ROUNDS = 5;
/** At most this many fixes are listed before they are applied; the rest are counted. */
const MAX_LISTED = 20;

type DoctorFlags = TenantsFlags & FlagsOf<'askPlatform' | 'fix' | 'yes'>;

/**
 * `latchkey doctor`: says what is wrong, what it means for callers and what fixes it. With `--fix`, applies the fixes
 * that a program can.
 * @throws {CommandError}
 */
export async function doctor(context: CommandContext, flags: DoctorFlags): Promise<ExitCode> {
  const { terminal } = context;
  const system = await context.system();
  const deployments = await pickDeployments(context, flags);
  const where = deployments.map(placeText).join(', ');
  const progress = terminal.progress(`Inspecting ${where}`);
  const [checks, found] = await Promise.all([
    checkAccess(context, deployments),
    inspectForDoctor(context, system, deployments, flags.askPlatform),
  ]).catch((error: unknown) => {
    progress.failed(`Could not inspect ${where}`);
    throw error;
  });
  progress.done(`Inspected ${where}`);
  const { inspections, tried } =
    flags.fix === true
      ? await fixAll(context, system, deployments, found, flags)
      : { inspections: found, tried: [] };
  const [tenants, ask] = [patternsOf(flags), askCommand(system, inspections, flags)];
  terminal.result(
    {
      ...inspectionsDocument(inspections),
      checks: checks.map(checkDocument),
      ...(flags.fix === true && { repairs: tried }),
    },
    (style) => doctorText({ inspections, checks, tried, tenants, ask }, style),
  );
  if (tried.some(({ isUnfinished }) => isUnfinished === true)) return EXIT.outcomeUnknown;
  return exitCode(inspections, checks);
}

/** The command that asks the issuer about the stored tokens; undefined if this one has asked, or there are none. */
function askCommand(
  system: System,
  inspections: readonly Inspection[],
  flags: DoctorFlags,
): string | undefined {
  const tokens = inspections.flatMap((inspection) => storedTokens(system, inspection));
  const [first] = tokens;
  if (flags.askPlatform === true || first === undefined) return undefined;
  const words = 'doctor --ask-platform';
  return tokens.length > MAX_QUESTIONS
    ? tenantCommand(first, words)
    : commandText(words, placeFlagsOf(flags), system.flags);
}

/** Such as `staging mea`, with the tenant if only one was chosen. */
function placeText({ deployment, tenantIds = [] }: ChosenDeployment): string {
  if (tenantIds.length < 2) return whereText({ ...deploymentKeyOf(deployment), tenantId: tenantIds[0] });
  return `${countText(tenantIds.length)} tenants of ${deploymentText(deployment)}`;
}

/** Applies fixes and inspects in turn, until no fix is left or nothing changes. */
async function fixAll(
  context: CommandContext,
  system: System,
  deployments: ChosenDeployment[],
  found: Inspection[],
  { yes = false }: DoctorFlags,
): Promise<{ inspections: Inspection[]; tried: TriedFix[] }> {
  const { terminal } = context;
  const tried: TriedFix[] = [];
  const fixed = new Set<Deployment>();
  let inspections = found;
  let fixesBefore = '';
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const fixables = fixableFindings(inspections);
    const fixesNow = JSON.stringify(fixables.map(({ fix }) => fix));
    if (fixables.length === 0 || fixesNow === fixesBefore) break;
    fixesBefore = fixesNow;
    listFixes(terminal, fixables);
    if (!yes && terminal.isInteractive && !(await terminal.confirm(confirmationFor(fixables)))) break;
    const { outcomes, failure } = await applyFixes(context, system, fixables);
    for (const [at, fixable] of fixables.entries()) {
      const outcome = outcomes[at];
      if (outcome === undefined) continue;
      tried.push({ repair: describeFix(fixable), ...outcome });
      if (outcome.isDone) fixed.add(fixable.deployment);
    }
    if (failure !== undefined) {
      const unstarted = outcomes.filter((outcome) => outcome === undefined).length;
      const error = failure instanceof CommandError ? { error: errorDocument(failure) } : {};
      terminal.result({ ...error, repairs: tried }, (style) => stoppedText(tried, unstarted, style));
      throw failure;
    }
    inspections = await inspectForDoctor(context, system, deployments);
  }
  await Promise.all([...fixed].map((deployment) => startCredentialWatch(context, deployment)));
  return { inspections, tried };
}

function listFixes(terminal: Terminal, fixables: readonly FixableFinding[]): void {
  for (const fixable of fixables.slice(0, MAX_LISTED)) terminal.say(`  ${describeFix(fixable)}`);
  const unlisted = fixables.length - MAX_LISTED;
  if (unlisted > 0) terminal.say(`  and ${countText(unlisted)} more`);
}

function confirmationFor({ length }: readonly FixableFinding[]): string {
  return length === 1 ? 'Apply this fix?' : `Apply these ${countText(length)} fixes?`;
}

/** The fixes that a program can apply; one that several findings share is listed once. */
function fixableFindings(inspections: readonly Inspection[]): FixableFinding[] {
  const fixables = new Map<string, FixableFinding>();
  for (const inspection of inspections) {
    if ('failure' in inspection) continue;
    const { deployment } = inspection;
    for (const finding of inspection.findings) {
      const { fix } = finding.repair;
      if (fix === undefined) continue;
      const tenantId = fix.action === 'sweep' ? undefined : finding.place.tenantId;
      const name = JSON.stringify([deploymentName(deployment), tenantId, fix]);
      if (!fixables.has(name)) fixables.set(name, { deployment, finding, fix });
    }
  }
  return [...fixables.values()];
}

function exitCode(inspections: readonly Inspection[], checks: readonly Check[]): ExitCode {
  const failed = checks.flatMap(({ failure }) => failure?.exitCode ?? []);
  return Math.max(inspectionExitCode(inspections), ...failed, EXIT.done) as ExitCode;
}

function checkDocument({ name, failure, note, hint, ...deploymentKey }: Check): object {
  return {
    ...deploymentKey,
    name,
    ok: failure === undefined,
    note,
    hint,
    error: failure && errorDocument(failure),
  };
}
