import { pickDeployments } from './choose-tenant';
import { type CommandContext, type TenantFlags } from './command';
import { usageError } from './command-error';
import { commandText } from './command-text';
import { EXIT, type ExitCode } from './exit-codes';
import { inspectDeployments, type Inspection } from './inspect-deployments';
import { statusDocument, statusExitCode } from './status-inspection';
import { statusText, watchText } from './status-view';

/** Time between two inspections with `--watch`. */
const WATCH_MS = 5_000;

interface StatusFlags extends TenantFlags {
  watch?: boolean;
  json?: boolean;
}

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
  const inspect = () => inspectDeployments(context, system, deployments);
  const { environment, platformRegion, tenant } = flags;
  const chosen = { '--environment': environment, '--platform-region': platformRegion, '--tenant': tenant };
  const doctor = commandText('doctor', chosen, system.flags);
  if (flags.watch === true) return watch(context, inspect, doctor);
  const inspections = await inspect();
  terminal.result(statusDocument(inspections), (style) => statusText(inspections, doctor, style));
  return statusExitCode(inspections);
}

/** Inspects and draws again until the person interrupts. */
async function watch(
  context: CommandContext,
  inspect: () => Promise<Inspection[]>,
  doctor: string,
): Promise<ExitCode> {
  const { terminal } = context;
  try {
    for (;;) {
      const inspections = await inspect();
      const nowMs = context.nowMs();
      terminal.redraw(
        (style) =>
          `${style.dim(`${new Date(nowMs).toISOString()}, Ctrl-C to exit`)}\n\n${watchText(inspections, doctor, style)}`,
      );
      await context.sleep(WATCH_MS);
    }
  } catch (error) {
    if (terminal.interrupted.aborted) return EXIT.done;
    throw error;
  }
}
