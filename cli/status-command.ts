import {
  type ChosenDeployment,
  patternsOf,
  pickDeployments,
  placeFlagsOf,
  type TenantsFlags,
} from './choose-tenant';
import { type CommandContext } from './command';
import { usageError } from './command-error';
import { commandText } from './command-text';
import { EXIT, type ExitCode } from './exit-codes';
import { countText } from './findings-view';
import { inspectDeployments, type Inspection } from './inspect-deployments';
import { statusDocument, statusExitCode } from './status-result';
import { type StatusCommands, statusText } from './status-view';
import { type System } from './system';
import { type Style } from './terminal';
import { DEFAULT_SHOWN_TENANTS, type FlagsOf } from './options';

/** Time between two inspections with `--watch`, and longer with many tenants: each inspection reads all their secrets. */
const WATCH_MS = 5_000;
const WATCH_MS_PER_TENANT = 30;
/** From this many tenants on, an inspection takes long enough to show its progress. */
const MIN_TENANTS_FOR_PROGRESS = 100;

type StatusFlags = TenantsFlags & FlagsOf<'watch' | 'json' | 'limit:tenants'>;

/**
 * `latchkey status`: shows the state of credentials, tokens and alarms, and what needs attention.
 * @throws {CommandError}
 */
export async function status(context: CommandContext, flags: StatusFlags): Promise<ExitCode> {
  const { terminal } = context;
  if (flags.watch === true && (flags.json === true || !terminal.showsOutputToPerson)) {
    throw usageError('--watch', 'no terminal to draw on', 'a terminal, without --json');
  }
  const system = await context.system();
  const deployments = await pickDeployments(context, flags);
  const tenants = deployments.reduce(
    (sum, { deployment, tenantIds }) => sum + (tenantIds ?? deployment.tenants).length,
    0,
  );
  const { limit = DEFAULT_SHOWN_TENANTS } = flags;
  const chosen = placeFlagsOf(flags);
  const commands: StatusCommands = {
    tenants: patternsOf(flags),
    doctor: commandText('doctor', chosen, system.flags),
    more: (count) => commandText('status', { ...chosen, '--limit': String(count) }, system.flags),
  };
  if (flags.watch === true) {
    const everyMs = Math.max(WATCH_MS, tenants * WATCH_MS_PER_TENANT);
    const inspect = () => inspectDeployments(context, system, deployments);
    return watch(context, inspect, everyMs, (inspections, style) =>
      statusText(inspections, commands, { limit, watch: true }, style),
    );
  }
  const inspections = await inspectWithProgress(context, system, deployments, tenants);
  terminal.result(statusDocument(inspections), (style) =>
    statusText(inspections, commands, { limit }, style),
  );
  return statusExitCode(inspections);
}

async function inspectWithProgress(
  context: CommandContext,
  system: System,
  deployments: ChosenDeployment[],
  tenants: number,
): Promise<Inspection[]> {
  const { terminal } = context;
  let inspected = 0;
  const progress =
    tenants < MIN_TENANTS_FOR_PROGRESS
      ? undefined
      : terminal.progress(`Inspecting ${countText(tenants)} tenants`);
  const inspections = await inspectDeployments(context, system, deployments, (more) => {
    inspected += more;
    progress?.update(`Inspected ${countText(Math.min(inspected, tenants))} of ${countText(tenants)} tenants`);
  }).catch((error: unknown) => {
    progress?.failed('Could not inspect the tenants');
    throw error;
  });
  if (inspections.some((inspection) => 'failure' in inspection)) {
    progress?.failed('Could not inspect all tenants');
  } else progress?.done(`Inspected ${countText(tenants)} tenants`);
  return inspections;
}

/** Inspects and draws again until the person interrupts. */
async function watch(
  context: CommandContext,
  inspect: () => Promise<Inspection[]>,
  everyMs: number,
  render: (inspections: readonly Inspection[], style: Style) => string,
): Promise<ExitCode> {
  const { terminal } = context;
  try {
    for (;;) {
      const inspections = await inspect();
      const every = everyMs === WATCH_MS ? '' : `every ${Math.round(everyMs / 1000)} s, `;
      const time = new Date(context.nowMs()).toISOString();
      terminal.redraw(
        (style) => `${style.dim(`${time}, ${every}Ctrl-C to exit`)}\n\n${render(inspections, style)}`,
      );
      await context.sleep(everyMs);
    }
  } catch (error) {
    if (terminal.interrupted.aborted) return EXIT.done;
    throw error;
  }
}
