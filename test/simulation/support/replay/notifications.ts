import { type AlarmReadings as Readings } from 'cdk-on-loopback/testing';

import { type Replay } from './replay';

/** Where AWS's pages can be read in two ways, the alarms must be right in both. */
export const READINGS: readonly Partial<Readings>[] = [
  {},
  { evaluationRange: 'window', filledMetrics: 'with-gaps' },
  { filledMetrics: 'with-gaps' },
];

export const alarmsOf = (pages: ReturnType<Replay['pages']>) => pages.map(({ alarm }) => alarm);

/** Expects these notifications, and each to be over by now. */
export function expectNotified(replay: Replay, alarms: readonly string[]): void {
  expect(alarmsOf(replay.pages())).toEqual(alarms);
  expect(alarmsOf(replay.allClears()).sort()).toEqual([...alarms].sort());
  expect(replay.ringing()).toEqual([]);
}
