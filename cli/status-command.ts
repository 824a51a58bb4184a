import { chooseSections } from './choose-tenant';
import { type CommandContext, type TenantFlags } from './command';
import { usageError } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import { lookForStatus, statusDocument, statusExitCode, type StatusLook } from './status-look';
import { statusText, watchText } from './status-view';

/** Time between two looks with `--watch`. */
const WATCH_MS = 5_000;

export interface StatusFlags extends TenantFlags {
  watch?: boolean;
  json?: boolean;
}

/**
 * `latchkey status`: what the deployments' credentials, tokens and alarms are like, and what has to be seen to.
 * @throws {CommandError}
 */
export async function status(context: CommandContext, flags: StatusFlags): Promise<ExitCode> {
  const { terminal } = context;
  if (flags.watch === true && (flags.json === true || !terminal.showsOutputToPerson)) {
    throw usageError('--watch: found no terminal to draw on; allowed: on a terminal, and without --json');
  }
  const system = await context.system();
  const sections = chooseSections(system, flags);
  const look = () => lookForStatus(context, system, sections);
  if (flags.watch === true) return watch(context, look);
  const seen = await look();
  terminal.result(statusDocument(seen), (style) => statusText(seen, style));
  return statusExitCode(seen);
}

/** Looks and draws until the person has seen enough. */
async function watch(context: CommandContext, look: () => Promise<StatusLook[]>): Promise<ExitCode> {
  const { terminal } = context;
  try {
    for (;;) {
      const seen = await look();
      const nowMs = context.nowMs();
      terminal.redraw(
        (style) =>
          `${style.dim(`${new Date(nowMs).toISOString()}, end with Ctrl-C`)}\n\n${watchText(seen, style)}`,
      );
      await context.sleep(WATCH_MS);
    }
  } catch (error) {
    if (terminal.interrupted.aborted) return EXIT.done;
    throw error;
  }
}
