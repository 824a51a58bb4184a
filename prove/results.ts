import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { table } from '../cli/table';
import { type Style } from '../cli/terminal';
import { version } from '../package.json';
import { type Probe } from '../probes/probe';
import { type Caller } from './caller';
import { scrubbed } from './scrub';

const VERDICTS = ['as relied on', 'differs', 'not run'] as const;

const resultSchema = z.strictObject({
  /** When the run began, in ISO 8601. */
  date: z.iso.datetime(),
  place: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('aws'), partition: z.string(), region: z.string() }),
    z.strictObject({ kind: z.literal('laptop') }),
    z.strictObject({ kind: z.literal('endpoint'), name: z.string() }),
  ]),
  /** Of the command. */
  version: z.string(),
  probes: z.array(
    z.strictObject({
      id: z.string(),
      verdict: z.enum(VERDICTS),
      /** For people, in one line. */
      seen: z.string(),
      seconds: z.number(),
    }),
  ),
  totals: z.record(z.enum(VERDICTS), z.number()),
  seconds: z.number(),
  /** By the price list; 0 where nothing is billed. */
  costUsd: z.number(),
  /** What is still there, and why. */
  left: z.array(z.strictObject({ what: z.string(), why: z.string() })),
});

/** What one run of `latchkey prove` saw. Contains no account number, ARN or secret. */
export type ProveResult = z.output<typeof resultSchema>;

/** A run that has ended. */
export interface EndedRun {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly caller: Pick<Caller, 'place' | 'laptop' | 'endpoint'>;
  readonly probes: ProveResult['probes'];
  readonly costUsd: number;
  readonly left: ProveResult['left'];
}

/** The result of a run, without what identifies the account. */
export function resultOf({ startedAt, endedAt, caller, probes, costUsd, left }: EndedRun): ProveResult {
  const totals = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, probes.filter((probe) => probe.verdict === verdict).length]),
  ) as ProveResult['totals'];
  return {
    date: startedAt.toISOString(),
    place: placeOf(caller),
    version,
    probes: probes.map((probe) => ({
      ...probe,
      seen: scrubbed(probe.seen),
      seconds: Math.round(probe.seconds * 10) / 10,
    })),
    totals,
    seconds: Math.round((endedAt.getTime() - startedAt.getTime()) / 1000),
    costUsd:
      caller.laptop === undefined && caller.endpoint === undefined ? Math.round(costUsd * 100) / 100 : 0,
    left: left.map(({ what, why }) => ({ what: scrubbed(what), why: scrubbed(why) })),
  };
}

/**
 * Parses a file that {@link writeResult} wrote.
 * @throws {z.ZodError | SyntaxError}
 */
export function parseResult(text: string): ProveResult {
  return resultSchema.parse(JSON.parse(text));
}

function placeOf({ place, laptop, endpoint }: EndedRun['caller']): ProveResult['place'] {
  if (laptop !== undefined) return { kind: 'laptop' };
  if (endpoint !== undefined) return { kind: 'endpoint', name: scrubbed(endpoint) };
  return { kind: 'aws', partition: place.partition, region: place.region };
}

/** `aws eu-west-1`, `aws-cn cn-north-1`, `laptop` */
export function placeName(place: ProveResult['place']): string {
  switch (place.kind) {
    case 'aws':
      return `${place.partition} ${place.region}`;
    case 'laptop':
      return 'laptop';
    case 'endpoint':
      return place.name;
  }
}

/**
 * Writes a result as JSON and as a Markdown table.
 * @param dir absolute; created
 * @returns the paths of both files
 */
export function writeResult(
  dir: string,
  result: ProveResult,
  probes: readonly Probe[],
): readonly [json: string, markdown: string] {
  mkdirSync(dir, { recursive: true });
  const name = `${result.date.slice(0, 19)} ${placeName(result.place)}`.replaceAll(/[^A-Za-z0-9.-]+/g, '-');
  const files = [join(dir, `${name}.json`), join(dir, `${name}.md`)] as const;
  writeFileSync(files[0], `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(files[1], resultTable(result, probes));
  return files;
}

function resultTable(result: ProveResult, probes: readonly Probe[]): string {
  const { date, place, version, costUsd, seconds, left } = result;
  const known = new Map(probes.map((probe) => [probe.id, probe]));
  const rows = result.probes.map(({ id, verdict, seen, seconds }) => {
    const { subject = id, reliedOn = '' } = known.get(id) ?? {};
    return [subject, reliedOn, escaped(seen), verdict, String(seconds)];
  });
  const lines = [
    ['Point', 'Relied on', 'Seen', 'Verdict', 'Seconds'],
    ['---', '---', '---', '---', '---:'],
    ...rows,
  ].map((cells) => `| ${cells.join(' | ')} |`);
  const cost = costUsd === 0 ? '' : `, about USD ${costUsd.toFixed(2)}`;
  return [
    `# Result of latchkey prove: ${placeName(place)}`,
    '',
    `${date}, latchkey ${version}: ${totalsText(result)}. ${durationText(seconds)}${cost}.`,
    '',
    ...lines,
    '',
    ...(left.length === 0
      ? ['Nothing is left behind.']
      : ['Left behind:', '', ...left.map(({ what, why }) => `- ${escaped(what)}: ${escaped(why)}`)]),
    '',
  ].join('\n');
}

/** Text in a cell of a Markdown table. */
function escaped(text: string): string {
  return text.replaceAll(/[\\|<*_`]/g, (character) => `\\${character}`).replaceAll(/\s+/g, ' ');
}

/** What a terminal shows of a result. @param files where it was written */
export function resultText(result: ProveResult, files: readonly string[], style: Style): string {
  const paints = { 'as relied on': style.good, differs: style.bad, 'not run': style.warning };
  const rows = result.probes.map(({ id, verdict, seen, seconds }) => [
    { text: verdict, paint: paints[verdict] },
    id,
    `${seconds.toFixed(1)} s`,
    seen,
  ]);
  const { place, costUsd, left } = result;
  return [
    ...table(rows),
    `${placeName(place)}: ${totalsText(result)}`,
    `${durationText(result.seconds)}${costUsd === 0 ? '' : `, about USD ${costUsd.toFixed(2)}`}`,
    ...(left.length === 0 ? ['Nothing is left behind'] : ['Left behind:']),
    ...left.map(({ what, why }) => `  ${what}: ${why}`),
    ...files,
  ].join('\n');
}

function totalsText({ totals, probes }: ProveResult): string {
  const counts = VERDICTS.map((verdict) => `${totals[verdict]} ${verdict}`);
  return `${probes.length} probes: ${counts.join(', ')}`;
}

/** `24 min 5 s` */
function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}
