import { mapConcurrently } from '../core/calls/map-concurrently';
import { deploymentName } from '../core/tokens/token-key';
import { applyFix, type FixableFinding, type FixOutcome } from './apply-fix';
import { type CommandContext } from './command';
import { CommandError, interruption } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import { countText } from './findings-view';
import { type System } from './system';
import { type Progress } from './terminal';

/** Fixes in flight: a rotation takes seconds, and asks the platform for the tokens that the tenant declares. */
const MAX_AT_ONCE = 8;
/**
 * Time between two fixes, so that ten start in a second. Secrets Manager accepts 50 label changes, rotations and cancelled deletions a
 * second each; a fix makes a few, and the functions' own writes need room.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const BETWEEN_MS = 100;
/** After this many outages in a row, the fixes that are left would fail too. */
const MAX_OUTAGES_IN_A_ROW = 10;
/** Failures that are not about the fix, by their code. */
const OUTAGES = new Map<string | undefined, ExitCode>([
  ['aws_unavailable', EXIT.unavailable],
  ['not_signed_in', EXIT.refused],
]);
/** Without a terminal, each update of the progress is a line. */
const UPDATE_EVERY = 100;
const STOPPED: FixOutcome = {
  isDone: false,
  outcome: 'Stopped in the middle; it may have taken effect, and can be repeated',
};
const SILENT: Progress = {
  isDrawnOver: true,
  update: () => undefined,
  done: () => undefined,
  failed: () => undefined,
};

/** The outcomes of several fixes. */
interface Applied {
  /** In the order of the fixes; undefined for those that were not started. */
  readonly outcomes: readonly (FixOutcome | undefined)[];
  /** Why not all were started: an interruption, an outage, or a bug. */
  readonly failure: Error | undefined;
}

/**
 * Applies fixes, several at a time; those of one tenant in their order. A failed one does not stop the others, unless AWS can no
 * longer be used. After an interruption none is started, and those in flight break off.
 */
export async function applyFixes(
  context: CommandContext,
  system: System,
  fixables: readonly FixableFinding[],
): Promise<Applied> {
  const { interrupted } = context.terminal;
  const outcomes = new Map<FixableFinding, FixOutcome>();
  const failures: Error[] = [];
  let outagesInARow = 0;
  const progress = progressOf(context, fixables.length);
  const nextTurn = turnsOf(context);
  await mapConcurrently(lanesOf(fixables), MAX_AT_ONCE, async (lane) => {
    for (const fixable of lane) {
      if (interrupted.aborted || failures.length > 0) return;
      if ((await nextTurn()) === 'interrupted') return;
      try {
        const outcome = await applyFix(context, system, fixable, progress?.ofEach);
        outcomes.set(fixable, outcome);
        outagesInARow = OUTAGES.has(outcome.code) ? outagesInARow + 1 : 0;
        if (outagesInARow === MAX_OUTAGES_IN_A_ROW) failures.push(outage(outcome));
      } catch (error) {
        outcomes.set(fixable, STOPPED);
        failures.push(error as Error);
      }
      progress?.update([...outcomes.values()]);
    }
  });
  if (interrupted.aborted) failures.push(interruption());
  progress?.end([...outcomes.values()]);
  const isUnknown = (error: Error) => error instanceof CommandError && error.exitCode === EXIT.outcomeUnknown;
  return {
    outcomes: fixables.map((fixable) => outcomes.get(fixable)),
    failure:
      failures.find((error) => !(error instanceof CommandError)) ?? failures.find(isUnknown) ?? failures[0],
  };
}

function outage({ code = '', outcome }: FixOutcome): CommandError {
  const exitCode = OUTAGES.get(code) ?? EXIT.failed;
  return new CommandError(
    exitCode,
    code,
    `stopped after ${MAX_OUTAGES_IN_A_ROW} fixes in a row failed alike: ${outcome}`,
    {
      advice: `Run it again once ${code === 'not_signed_in' ? 'you are signed in' : 'AWS answers'}: fixes can be repeated.`,
    },
  );
}

/**
 * Fixes that must not run at the same time are in one lane: those of a tenant, which may change the same secret, and those that
 * need token-refresh, which runs one at a time.
 */
function lanesOf(fixables: readonly FixableFinding[]): FixableFinding[][] {
  const lanes = new Map<string, FixableFinding[]>();
  for (const fixable of fixables) {
    const { deployment, finding, fix } = fixable;
    const shared = fix.action === 'refresh_token' ? 'token-refresh' : `tenant ${finding.place.tenantId}`;
    const name = JSON.stringify([deploymentName(deployment), shared]);
    const lane = lanes.get(name);
    if (lane === undefined) lanes.set(name, [fixable]);
    else lane.push(fixable);
  }
  return [...lanes.values()];
}

/** Returns a function that waits until the next fix may start. */
function turnsOf({ nowMs, sleep, terminal }: CommandContext): () => Promise<'interrupted' | undefined> {
  let nextAtMs = 0;
  return async () => {
    const startsAtMs = Math.max(nowMs(), nextAtMs);
    nextAtMs = startsAtMs + BETWEEN_MS;
    try {
      if (startsAtMs > nowMs()) await sleep(startsAtMs - nowMs());
    } catch (error) {
      if (!terminal.interrupted.aborted) throw error;
    }
    return terminal.interrupted.aborted ? 'interrupted' : undefined;
  };
}

/** One progress for many fixes; a single one shows its own. */
function progressOf({ terminal }: CommandContext, count: number) {
  if (count === 1) return undefined;
  const progress = terminal.progress(`Applying ${countText(count)} fixes`);
  const text = (ended: readonly FixOutcome[]) => {
    const done = ended.filter(({ isDone }) => isDone).length;
    const failed = ended.length - done;
    return `Applied ${countText(done)} of ${countText(count)} fixes${failed === 0 ? '' : `, ${countText(failed)} failed`}`;
  };
  return {
    ofEach: SILENT,
    update: (ended: readonly FixOutcome[]) => {
      if (progress.isDrawnOver || ended.length % UPDATE_EVERY === 0) progress.update(text(ended));
    },
    end: (ended: readonly FixOutcome[]) => {
      const isAllDone = ended.length === count && ended.every(({ isDone }) => isDone);
      if (isAllDone) progress.done(text(ended));
      else progress.failed(text(ended));
    },
  };
}
