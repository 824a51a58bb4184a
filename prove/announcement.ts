import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { table } from '../cli/table';
import { type CountedTemplate } from '../lib/costs/inventory';
import { READ_ON } from '../lib/costs/prices';
import { runPrice } from '../lib/costs/run-price';
import { type Probe } from '../probes/probe';
import { type Caller } from './caller';

/** The templates of a cloud assembly. */
export function templatesIn(assemblyDir: string): CountedTemplate[] {
  return readdirSync(assemblyDir)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => JSON.parse(readFileSync(join(assemblyDir, name), 'utf8')) as CountedTemplate);
}

/** Assumed times on AWS, in minutes: CloudFormation creates and deletes the stacks, one after another. */
const DEPLOYING_MIN = 12;
const REMOVING_MIN = 6;
/** A probe looks at once, or waits some seconds until AWS has applied a change. */
const PROBE_SEC = 12;
/** A slow one waits for schedules, or for alarms to see several periods. */
const SLOW_PROBE_MIN = 20;

/** What a run is about to do. */
export interface Plan {
  readonly prefix: string;
  readonly minutes: number;
  readonly probes: number;
  readonly stacks: number;
  /** Number of resources by CloudFormation type, the most frequent first. */
  readonly resources: Readonly<Record<string, number>>;
  readonly price: ReturnType<typeof runPrice>;
  /** What the resources cost in another time. */
  readonly priceAfter: (hours: number) => ReturnType<typeof runPrice>;
}

/** Counts and prices what a run creates. @param templates of every stack, besides those of probes */
export function planOf(
  prefix: string,
  chosen: readonly Pick<Probe, 'slow'>[],
  templates: readonly CountedTemplate[],
): Plan {
  const slowOnes = chosen.filter((probe) => probe.slow === true).length;
  const deployingMin = templates.length === 0 ? 0 : DEPLOYING_MIN + REMOVING_MIN;
  const minutes = Math.ceil(
    deployingMin + ((chosen.length - slowOnes) * PROBE_SEC) / 60 + slowOnes * SLOW_PROBE_MIN,
  );
  const priceAfter = (hours: number) => runPrice(templates, hours, chosen.length);
  const types = templates.flatMap(({ Resources = {} }) => Object.values(Resources).map(({ Type }) => Type));
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    ...{ prefix, minutes, probes: chosen.length, stacks: templates.length },
    resources: Object.fromEntries(sorted),
    price: priceAfter(minutes / 60),
    priceAfter,
  };
}

const REMOVAL = [
  'Everything is removed at the end, also if the run fails or is interrupted.',
  'What AWS keeps: a KMS key for 7 more days, at no charge, and metrics for 15 months.',
];

/** What is printed before the question. */
export function announcement(
  plan: Plan,
  { place, arn, endpoint }: Caller,
  notes: readonly string[],
): string[] {
  const { prefix, minutes, probes, stacks, resources, price } = plan;
  const kinds = Object.entries(resources).map(([type, count]) => [String(count), type.replace(/^AWS::/, '')]);
  const total = Object.values(resources).reduce((sum, count) => sum + count, 0);
  const where = endpoint === undefined ? '' : `, at ${endpoint} and not on AWS`;
  return [
    `Account ${place.accountId}, region ${place.region}, partition ${place.partition}${where}`,
    `  as ${arn}`,
    ...(stacks === 0
      ? [`Creates only what its probes need, whose names begin with ${prefix}`]
      : [
          `Creates ${stacks} stacks whose names begin with ${prefix}, with ${total} resources:`,
          ...inColumns(kinds),
          'and what its probes need besides.',
        ]),
    `Runs ${counted(probes, 'probe')}. Nothing else in the account is changed.`,
    ...REMOVAL.map((line) => `  ${line}`),
    ...(endpoint === undefined ? priceLines(price) : ['Cost: nothing is billed by AWS']),
    `Time: about ${counted(minutes, 'minute')}`,
    ...notes.map((note) => `! ${note}`),
  ];
}

function priceLines({ items, totalUsd }: Plan['price']): string[] {
  const rows = items
    .filter(({ usd }) => usd >= 0.0005)
    .map(({ what, usd, price }) => [usd.toFixed(3), what, `${price.usd} per ${price.per}`, price.page]);
  return [
    `Cost: about USD ${totalUsd.toFixed(2)} at the list prices of us-east-1 read on ${READ_ON}, without free tiers:`,
    ...table(rows, '  '),
  ];
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

const COLUMNS = 2;

function inColumns(kinds: readonly (readonly string[])[]): string[] {
  const rows = Math.ceil(kinds.length / COLUMNS);
  return table(
    Array.from({ length: rows }, (_, row) =>
      Array.from({ length: COLUMNS }, (_, column) => kinds[row + column * rows] ?? ['', '']).flat(),
    ),
    '  ',
  ).map((line) => line.trimEnd());
}
