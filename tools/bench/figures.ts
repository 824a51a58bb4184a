import { tableLines } from '../docs/markdown-table';
import { type Goal, type Table } from './question';

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The smallest value that `share` of the values do not exceed. @param share for example 0.99 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1]!;
}

/** For example `0.25x`, `5.3x`, `182x`. */
export function ratio(value: number, base: number): string {
  const times = value / base;
  return `${times.toFixed(times < 2 ? 2 : times < 10 ? 1 : 0)}x`;
}

/** For example `81 ns`, `3.60 µs`, `1.20 ms`. */
export function nanoseconds(ns: number): string {
  if (ns < 1_000) return `${ns.toFixed(0)} ns`;
  return ns < 1_000_000 ? `${(ns / 1_000).toFixed(2)} µs` : `${(ns / 1_000_000).toFixed(2)} ms`;
}

/** For example `7.4 ms`, `52 ms`, `1,209 ms`. */
export function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : count(Math.round(ms))} ms`;
}

/** For example `297.5 kB`, of 1,000 bytes each. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}

/** For example `1,000`. */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Renders a table in Markdown. */
export function markdown({ title, columns, rows }: Table): string {
  return [`### ${title}`, '', ...tableLines(columns, rows), ''].join('\n');
}

/** A table of the goals and whether each was met. */
export function goalTable(goals: readonly Goal[]): Table {
  return {
    title: 'Goals',
    columns: ['goal', 'subject', 'wanted', 'measured', 'met'],
    rows: [...goals]
      .sort((a, b) => a.number - b.number)
      .map(({ number, subject, wanted, measured, isMet }) => [
        String(number),
        subject,
        wanted,
        measured,
        isMet ? 'yes' : '**no**',
      ]),
  };
}
