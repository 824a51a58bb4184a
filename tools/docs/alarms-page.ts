import { readFileSync } from 'node:fs';

import { format } from 'prettier';

import {
  type AlarmRow,
  DEFAULT_ALARM_THRESHOLDS,
  DEPLOYMENT_ALARM_ROWS,
  TENANT_ALARM_ROWS,
} from '../../core/alarms/alarm-rows';
import { tableLines, withLines } from './markdown-table';

/** `docs/alarms.md`: its tables of alarms are those of the rows, and the rest is kept. */
export function alarmsPage(current: string): Promise<string> {
  const tables: [heading: string, rows: Readonly<Record<string, AlarmRow>>][] = [
    ['## Of a deployment', DEPLOYMENT_ALARM_ROWS],
    ['## Of a tenant', TENANT_ALARM_ROWS],
  ];
  const text = tables.reduce((page, [heading, rows]) => withTable(page, heading, rows), current);
  return format(text, { parser: 'markdown', printWidth: 110, singleQuote: true });
}

function withTable(page: string, heading: string, rows: Readonly<Record<string, AlarmRow>>): string {
  const lines = tableLines(
    ['Alarm', 'Condition', 'Notifies', 'What to do', 'Ends'],
    Object.entries(rows).map(([id, row]) => [
      nameOf(id, row),
      row.condition(DEFAULT_ALARM_THRESHOLDS),
      notifiesOf(row),
      adviceOf(row),
      row.ends,
    ]),
  );
  return withLines(page, heading, lines);
}

function nameOf(id: string, { notifies }: AlarmRow): string {
  return `\`${id}\`${notifies === 'tenant' || notifies === 'nobody' ? ' (full)' : ''}`;
}

function notifiesOf({ notifies }: AlarmRow): string {
  if (notifies === 'itself') return 'yes';
  if (notifies === 'nobody') return 'no';
  return notifies === 'tenant' ? "by the tenant's" : `by \`${notifies}\``;
}

/** The commands and sections of the runbook that the last sentence names. */
function adviceOf({ text }: AlarmRow): string {
  const words = {
    place: '',
    status: '`latchkey status`',
    doctor: '`latchkey doctor`',
    fix: '`latchkey doctor --fix`',
    hasApiKeys: true,
  };
  const [, , advice] = text({ ...words, ...DEFAULT_ALARM_THRESHOLDS });
  return [...advice.matchAll(/`[^`]+`|docs\/(runbook\/[a-z-]+\.md)#([a-z-]+)/g)]
    .map(([named, page, anchor]) =>
      page === undefined ? named : `[${headingOf(page, anchor!)}](${page}#${anchor!})`,
    )
    .join(', ');
}

/** @throws {Error} if the page has no such section */
function headingOf(page: string, anchor: string): string {
  const headings = [...readFileSync(`docs/${page}`, 'utf8').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading]) => heading!,
  );
  const found = headings.find((heading) => heading.toLowerCase().replaceAll(' ', '-') === anchor);
  if (found === undefined) throw new Error(`docs/${page} has no section #${anchor}`);
  return found;
}
