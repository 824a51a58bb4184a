import { harmless } from '../../core/commands/harmless-text';
import { RESTORED_STATUS, type RestoredRecord } from '../../core/restore/restore-operation';
import { pickTenant, chosenTenantKey } from '../choose-tenant';
import { type CommandContext, type TenantFlags } from '../command';
import { EXIT, type ExitCode } from '../exit-codes';
import { table } from '../table';
import { type Style } from '../terminal';
import { isInError, type RestoreAnswer } from './answer';
import { type RestoreItem } from './item';
import { failureFor } from './restore-failure';
import { RestoreClient } from './restore-client';

/**
 * Restores one content and shows its record. Sends one request, and a second only after a 401.
 * @throws {CommandError}
 */
export async function restoreOne(
  context: CommandContext,
  flags: TenantFlags,
  item: RestoreItem,
): Promise<ExitCode> {
  const { terminal } = context;
  const chosen = await pickTenant(context, flags);
  const client = await RestoreClient.open(context, chosen);
  const progress = terminal.progress('Calling the restore API');
  const onInterrupt = () =>
    progress.update('Waiting for the answer; Ctrl-C again leaves the outcome unknown');
  terminal.interrupted.addEventListener('abort', onInterrupt, { once: true });
  let answer: RestoreAnswer;
  try {
    answer = await send(client, item);
  } catch (error) {
    progress.failed('Not restored');
    throw error;
  } finally {
    terminal.interrupted.removeEventListener('abort', onInterrupt);
  }
  if (answer.outcome !== 'restored') {
    progress.failed(answer.outcome === 'outcome_unknown' ? 'Outcome unknown' : 'Not restored');
    throw failureFor(answer, chosen);
  }
  const { outcome, record } = answer;
  progress.done(record.status === RESTORED_STATUS ? 'Restored' : 'The platform reports success');
  terminal.result({ ...chosenTenantKey(chosen), contentId: item.contentId, outcome, record }, (style) =>
    recordText(record, style),
  );
  return EXIT.done;
}

/** Retries after a 401, which precedes processing, with a new token. */
async function send(client: RestoreClient, item: RestoreItem): Promise<RestoreAnswer> {
  const headers = await client.authorize(item);
  const answer = await client.post(item, headers);
  if (answer.outcome !== 'unauthorized') return answer;
  await client.renew(headers);
  return client.post(item, await client.authorize(item));
}

function recordText({ id, status, items }: RestoredRecord, style: Style): string {
  // Authors write these texts, so they may contain anything.
  const shown = (text: unknown, maxChars = 60) =>
    shortened(harmless(typeof text === 'string' ? text : ''), maxChars);
  const rows = items.map((item) => [
    typeof item.rank === 'number' ? String(item.rank) : '',
    shown(item.type),
    { text: shown(item.status), paint: isInError(item) ? style.bad : style.good },
    shown(item.summary),
    shown(item.failureReason, 200),
  ]);
  return [
    status === RESTORED_STATUS
      ? `${style.good('✓')} ${harmless(id)} is ${status}`
      : `${style.warning('!')} ${harmless(id)} is ${shown(status)}; the platform’s specification says ${RESTORED_STATUS}`,
    ...(rows.length === 0 ? [] : table([['rank', 'type', 'status', 'summary', ''], ...rows], '  ')),
  ].join('\n');
}

function shortened(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`;
}
