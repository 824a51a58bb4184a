import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { version } from '../package.json';
import { type Caller } from './caller';
import { type LeftBehind } from './clean-up/clean-up';
import { type Answer, type Question, VERDICTS } from './question';

/** An answer, and how long it took. */
export interface Answered extends Answer {
  readonly question: Question;
  readonly seconds: number;
}

/** What one run saw. Contains no account number, ARN or secret, so that it can be attached to an issue. */
export interface Report {
  /** When the run began, in ISO 8601. */
  readonly date: string;
  /** Such as `aws eu-west-1`; else `laptop`, or the host of what answered in AWS's place. */
  readonly place: string;
  readonly version: string;
  readonly answers: readonly (Answer & Pick<Question, 'id'> & { readonly seconds: number })[];
  readonly minutes: number;
  /** What is still there, and why. */
  readonly left: readonly string[];
}

/** A run that has ended. */
export interface EndedRun {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly caller: Pick<Caller, 'place' | 'laptop' | 'endpoint'>;
  readonly answers: readonly Answered[];
  readonly left: readonly LeftBehind[];
}

/** The report of a run, without what identifies the account. */
export function reportOf({ startedAt, endedAt, caller, answers, left }: EndedRun): Report {
  const { partition, region } = caller.place;
  const elsewhere = caller.laptop === undefined ? caller.endpoint : 'laptop';
  return {
    date: startedAt.toISOString(),
    place: elsewhere === undefined ? `${partition} ${region}` : scrubbed(elsewhere),
    version,
    answers: answers.map(({ question: { id }, verdict, seen, seconds }) => ({
      id,
      verdict,
      seen: scrubbed(seen),
      seconds,
    })),
    minutes: Math.ceil((endedAt.getTime() - startedAt.getTime()) / 60_000),
    left: left.map(({ kind, name, reason }) => scrubbed(`${kind} ${name}: ${reason}`)),
  };
}

/** A report in Markdown. */
export function reportText(report: Report, questions: readonly Question[]): string {
  const rows = report.answers.map(({ id, verdict, seen, seconds }) => {
    const { subject, reliedOn, otherwise } = questions.find((question) => question.id === id)!;
    const meaning = verdict === 'differs' ? `**differs**: ${otherwise}` : verdict;
    return `| ${id} | ${subject} | ${reliedOn} | ${escaped(seen)} | ${meaning} | ${seconds} |`;
  });
  return [
    `# latchkey prove: ${report.place}`,
    '',
    `${report.date}, latchkey ${report.version}: ${totalsOf(report)}, in ${report.minutes} min.`,
    '',
    '| Id | Question | Relied on | Seen | Verdict | Seconds |',
    '| --- | --- | --- | --- | --- | ---: |',
    ...rows,
    '',
    ...(report.left.length === 0 ? ['Nothing is left behind.'] : ['Left behind:', '']),
    ...report.left.map((each) => `- ${escaped(each)}`),
  ].join('\n');
}

/** Writes a report's text. @param dir absolute; created @returns the path of the file */
export function writeReport(dir: string, { date, place }: Report, text: string): string {
  mkdirSync(dir, { recursive: true });
  const name = `${date.slice(0, 19)} ${place}`.replaceAll(/[^A-Za-z0-9.-]+/g, '-');
  const file = join(dir, `${name}.md`);
  writeFileSync(file, `${text}\n`);
  return file;
}

function totalsOf({ answers }: Report): string {
  const counts = VERDICTS.map((verdict) => {
    const { length } = answers.filter((each) => each.verdict === verdict);
    return `${length} ${verdict}`;
  });
  return `${answers.length} questions: ${counts.join(', ')}`;
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
  [/(?<!\d)\d{12}(?!\d)/g, '[account]'],
  [/(?<!\d)\d{4}-\d{4}-\d{4}(?!\d)/g, '[account]'],
  // Secret keys, session tokens and JSON web tokens. Some long names look like one, and nobody needs them.
  [/(?=[\w+/=.-]*[a-z])(?=[\w+/=.-]*[A-Z])(?=[\w+/=.-]*\d)[\w+/=.-]{40,}/g, '[long text]'],
];

/** A text without ARNs, account numbers, access keys, hosts of APIs and whatever may be a secret. */
export function scrubbed(text: string): string {
  return PATTERNS.reduce((left, [pattern, substitute]) => left.replaceAll(pattern, substitute), text);
}
