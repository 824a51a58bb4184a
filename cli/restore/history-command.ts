import { CONTENT_ID_RULE, isContentId } from '../../core/restore/content-id';
import { harmless } from '../../core/commands/harmless-text';
import { deploymentName } from '../../core/tokens/token-key';
import { pickTenant, chosenTenantKey } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { usageError } from '../command-error';
import { commandText, tenantFlagsText } from '../command-text';
import { EXIT, type ExitCode } from '../exit-codes';
import { DEFAULT_SHOWN_RESTORES, type FlagsOf, MAX_SHOWN_RESTORES } from '../options';
import { showArgument } from '../safe-text';
import { type ChosenTenant } from '../system';
import { table } from '../table';
import { type Style } from '../terminal';
import { checkedReference } from './item';
import { type History, type HistoryEntry, readHistory } from './read-history';

type HistoryFlags = TenantFlags &
  FlagsOf<'contentId' | 'authorRef' | 'collaborationId' | 'outcome' | 'traceId' | 'since' | 'limit'>;

const DEFAULT_SINCE = '24h';
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const SPAN = /^(\d{1,5})([mhd])$/;
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** `latchkey restore history`: shows who restored what for one tenant, the latest first. @throws {CommandError} */
export async function restoreHistory(context: CommandContext, flags: HistoryFlags): Promise<ExitCode> {
  const { terminal } = context;
  const { contentId, authorRef, collaborationId, outcome, traceId, limit = DEFAULT_SHOWN_RESTORES } = flags;
  if (contentId !== undefined && !isContentId(contentId)) {
    throw usageError('--content-id', showArgument(contentId), CONTENT_ID_RULE);
  }
  if (authorRef !== undefined) checkedReference('--author-ref', authorRef);
  if (collaborationId !== undefined) checkedReference('--collaboration-id', collaborationId);
  const sinceMs = sinceMsOf(flags.since ?? DEFAULT_SINCE, context.nowMs());
  const since = new Date(sinceMs).toISOString();
  const chosen = await pickTenant(context, flags);
  const progress = terminal.progress('Searching the log');
  let history: History;
  try {
    const filter = { sinceMs, contentId, authorRef, collaborationId, outcome, traceId };
    history = await readHistory(chosen, filter, limit, terminal.interrupted, (found) => {
      if (progress.isDrawnOver) progress.update(`Searching the log: ${requestCount(found)} so far`);
    });
  } catch (error) {
    progress.failed('The log could not be read');
    throw error;
  }
  const { entries, found } = history;
  progress.done(`${requestCount(found)} since ${since}`);
  const more = found > entries.length ? moreText(chosen, { ...flags, since }, history) : [];
  terminal.result({ ...chosenTenantKey(chosen), since, found, restores: entries }, (style) =>
    [...historyLines(entries, style), ...more].join('\n'),
  );
  return EXIT.done;
}

function sinceMsOf(text: string, nowMs: number): number {
  const [, count, unit] = SPAN.exec(text) ?? [];
  const ms =
    unit === undefined ? Date.parse(text) : nowMs - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if ((unit !== undefined || TIME.test(text)) && ms >= 0) return ms;
  throw usageError('--since', showArgument(text), '30m, 24h or 7d, or a time such as 2026-01-31T12:00:00Z');
}

function requestCount(found: number): string {
  return `${found} request${found === 1 ? '' : 's'}`;
}

function historyLines(entries: readonly HistoryEntry[], style: Style): string[] {
  if (entries.length === 0) return ['No requests found'];
  const rows = entries.map((entry) => [
    entry.time.replace(/\.\d+Z$/, 'Z'),
    harmless(entry.contentId ?? '–'),
    { text: harmless(entry.code ?? '–'), paint: paintOf(entry, style) },
    harmless(callerText(entry)),
    harmless(actingUserText(entry)),
  ]);
  return table([['time', 'content', 'outcome', 'caller', 'acting user'], ...rows]);
}

function paintOf({ code }: HistoryEntry, style: Style): (text: string) => string {
  if (code === 'restored') return style.good;
  return code === 'outcome_unknown' ? style.bad : style.warning;
}

function callerText({ scheme, caller, callerVersion }: HistoryEntry): string {
  if (caller === undefined) return 'unknown';
  if (scheme === 'iam') return caller;
  const name = scheme === 'basic' ? 'API key' : `token ${caller}`;
  return callerVersion === 'previous' ? `${name}, previous` : name;
}

function actingUserText({ authorRef, collaborationId }: HistoryEntry): string {
  if (collaborationId === undefined) return authorRef ?? '–';
  return authorRef === undefined ? `for ${collaborationId}` : `${authorRef} for ${collaborationId}`;
}

function moreText(chosen: ChosenTenant, flags: HistoryFlags, { entries, found }: History): string[] {
  const shown = ['', `The latest ${entries.length} of ${found} are shown`];
  if (found > MAX_SHOWN_RESTORES) {
    const query = `${chosen.deployment.prefix}/${deploymentName(chosen.deployment)}/restores`;
    return [...shown, `To see all, run the saved query ${query} in CloudWatch Logs Insights`];
  }
  const { contentId, authorRef, collaborationId, outcome, traceId, since } = flags;
  const command = commandText(
    'restore history',
    {
      '--content-id': contentId,
      '--author-ref': authorRef,
      '--collaboration-id': collaborationId,
      '--outcome': outcome,
      '--trace-id': traceId,
      '--since': since,
      '--limit': String(found),
    },
    tenantFlagsText(chosen),
  );
  return [...shown.slice(0, -1), `${shown.at(-1)}. To see all:`, `  ${command}`];
}
