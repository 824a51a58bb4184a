import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { version } from '../../../package.json';
import { type Caller } from './caller';
import { type LeftBehind } from './clean-up/clean-up';
import { type Answered, VERDICTS } from './question';

/** A run that has ended. */
export interface EndedRun {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly caller: Pick<Caller, 'location' | 'laptop' | 'endpoint'>;
  readonly answers: readonly Answered[];
  readonly left: readonly LeftBehind[];
}

/** What a run saw, in Markdown. Contains no account number, ARN or secret, so that it can be attached to an issue. */
export function reportOf(run: EndedRun): string {
  const { startedAt, endedAt, answers, left } = run;
  const minutes = Math.ceil((endedAt.getTime() - startedAt.getTime()) / 60_000);
  const totals = VERDICTS.map((verdict) => {
    const { length } = answers.filter((each) => each.verdict === verdict);
    return `${length} ${verdict}`;
  });
  return scrubbed(
    [
      `# latchkey prove: ${whereOf(run)}`,
      '',
      `${startedAt.toISOString()}, latchkey ${version}: ${answers.length} questions: ${totals.join(', ')}, in ${minutes} min.`,
      '',
      '| Id | Question | Relied on | Seen | Verdict | Seconds |',
      '| --- | --- | --- | --- | --- | ---: |',
      ...answers.map(({ question: { id, subject, reliedOn, promise }, verdict, seen, seconds }) => {
        const meaning = verdict === 'differs' ? `**differs**, so this is not kept: ${promise}` : verdict;
        return `| ${id} | ${subject} | ${reliedOn} | ${escaped(seen)} | ${meaning} | ${seconds} |`;
      }),
      '',
      ...(left.length === 0 ? ['Nothing is left behind.'] : ['Left behind:', '']),
      ...left.map(({ kind, name, reason }) => `- ${escaped(`${kind} ${name}: ${reason}`)}`),
    ].join('\n'),
  );
}

/** Such as `aws eu-west-1`; else `laptop`, or the host of what answered in AWS's place. */
function whereOf({ caller: { location, laptop, endpoint } }: EndedRun): string {
  return laptop === undefined ? (endpoint ?? `${location.partition} ${location.region}`) : 'laptop';
}

/** Writes a report. @param dir absolute; created @returns the path of the file */
export function writeReport(dir: string, run: EndedRun): string {
  mkdirSync(dir, { recursive: true });
  const name = `${run.startedAt.toISOString().slice(0, 19)} ${whereOf(run)}`;
  const file = join(dir, `${scrubbed(name).replaceAll(/[^A-Za-z0-9.-]+/g, '-')}.md`);
  writeFileSync(file, `${reportOf(run)}\n`);
  return file;
}

/** Text in a cell of a Markdown table. */
function escaped(text: string): string {
  return text.replaceAll(/[\\|<*_`]/g, (character) => `\\${character}`).replaceAll(/\s+/g, ' ');
}

/** What must not be in a report, with what takes its place. An ARN comes first, because it holds an account number. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\barn:[\w-]*:[^\s"'`,;()[\]{}]+/g, '[arn]'],
  [/[\w-]+\.execute-api\.[\w.-]+/g, '[host]'],
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids
  [/\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA)[A-Z0-9]{12,}\b/g, '[key id]'],
  [/(?<!\d)\d{4}(-?)\d{4}\1\d{4}(?!\d)/g, '[account]'],
  // Secret keys, session tokens and JSON web tokens. Some long names look like one, and nobody needs them.
  [/(?=[\w+/=.-]*[a-z])(?=[\w+/=.-]*[A-Z])(?=[\w+/=.-]*\d)[\w+/=.-]{40,}/g, '[long text]'],
];

/** A text without ARNs, account numbers, access keys, hosts of APIs and whatever may be a secret. */
export function scrubbed(text: string): string {
  return PATTERNS.reduce((scrubbed, [pattern, substitute]) => scrubbed.replaceAll(pattern, substitute), text);
}
