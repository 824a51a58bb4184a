import { z } from 'zod';
import { type AlarmPart, type MetricAlarm } from '../../cloudwatch/alarm-definition';
import { idsOf } from '../../cloudwatch/metric-math';
import { type MetricQuery, type Percentile, SIMPLE_STATISTICS } from '../../cloudwatch/metric-store';
import { parseMetricMath } from '../../cloudwatch/parse-metric-math';
import {
  invalidTemplate,
  irrelevant,
  notSupported,
  type ResourceContext,
  wholeNumber,
} from '../resource-type';

const statistic = z.enum(SIMPLE_STATISTICS);
const percentile = z.custom<Percentile>(
  (given) => typeof given === 'string' && /^p\d{1,2}(\.\d+)?$/.test(given),
  'only percentiles such as p90',
);
const dimensions = z
  .array(z.strictObject({ Name: z.string(), Value: z.string() }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map(({ Name, Value }) => [Name, Value])));
const part = z.strictObject({
  Id: z.string().regex(/^[a-z]\w*$/),
  Label: irrelevant('for people'),
  ReturnData: z.boolean().default(true),
  Expression: z.string().optional(),
  Period: wholeNumber.optional(),
  MetricStat: z
    .strictObject({
      Metric: z.strictObject({ Namespace: z.string(), MetricName: z.string(), Dimensions: dimensions }),
      Period: wholeNumber,
      Stat: z.union([statistic, percentile]),
      Unit: z.string().optional(),
    })
    .optional(),
});

/** The properties of an alarm that define what it watches: one metric, or an expression over several. */
export const watchedProperties = {
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: dimensions,
  Statistic: statistic.optional(),
  ExtendedStatistic: percentile.optional(),
  Period: wholeNumber.optional(),
  Unit: z.string().optional(),
  Metrics: z.array(part).optional(),
};
type WatchedProperties = z.output<z.ZodObject<typeof watchedProperties>>;
type Watched = Pick<MetricAlarm, 'parts' | 'result' | 'periodSec'>;

/** @throws {TemplateError} unless it is a complete metric, or expressions that are supported here */
export function watchedBy(properties: WatchedProperties, context: ResourceContext): Watched {
  return properties.Metrics ? watchedByMath(properties.Metrics, context) : watchedMetric(properties, context);
}

function watchedMetric(
  { Namespace, MetricName, Dimensions, Statistic, ExtendedStatistic, Period, Unit }: WatchedProperties,
  context: ResourceContext,
): Watched {
  const chosen = Statistic ?? ExtendedStatistic;
  if (Namespace === undefined || MetricName === undefined || Period === undefined || chosen === undefined) {
    throw invalidTemplate(context, 'needs Namespace, MetricName, Period and a statistic, or Metrics');
  }
  const query: MetricQuery = {
    namespace: Namespace,
    metricName: MetricName,
    dimensions: Dimensions,
    unit: Unit,
    statistic: chosen,
  };
  return { parts: new Map([['m', { query }]]), result: 'm', periodSec: Period };
}

function watchedByMath(given: readonly z.output<typeof part>[], context: ResourceContext): Watched {
  const parts = new Map<string, AlarmPart>();
  for (const { Id, Expression, MetricStat } of given) {
    if (parts.has(Id)) throw invalidTemplate(context, `Metrics has ${Id} twice`);
    if (MetricStat && Expression !== undefined)
      throw invalidTemplate(context, `Metrics: ${Id} is both a metric and an expression`);
    parts.set(Id, MetricStat ? { query: queryOf(MetricStat) } : expressionOf(Expression ?? '', context));
  }
  const returned = given.filter(({ ReturnData }) => ReturnData).map(({ Id }) => Id);
  if (returned.length !== 1) throw invalidTemplate(context, 'exactly one of Metrics must return data');
  requireEvaluable(parts, returned[0]!, [], context);
  const periods = new Set(given.flatMap(({ MetricStat, Period }) => MetricStat?.Period ?? Period ?? []));
  const [periodSec, another] = periods;
  if (periodSec === undefined || another !== undefined)
    throw notSupported(context, 'all of Metrics must have the same period');
  return { parts, result: returned[0]!, periodSec };
}

function queryOf({ Metric, Stat, Unit }: NonNullable<z.output<typeof part>['MetricStat']>): MetricQuery {
  const { Namespace: namespace, MetricName: metricName, Dimensions } = Metric;
  return { namespace, metricName, dimensions: Dimensions, unit: Unit, statistic: Stat };
}

function expressionOf(text: string, context: ResourceContext): AlarmPart {
  try {
    return { expression: parseMetricMath(text), text };
  } catch (cause) {
    throw notSupported(context, (cause as Error).message);
  }
}

/** Ensures that an evaluation finds every id it needs, and terminates. */
function requireEvaluable(
  parts: ReadonlyMap<string, AlarmPart>,
  id: string,
  trail: readonly string[],
  context: ResourceContext,
): void {
  const alarmPart = parts.get(id);
  if (!alarmPart) throw invalidTemplate(context, `an expression refers to ${id}, which is not in Metrics`);
  if (trail.includes(id)) throw invalidTemplate(context, `expression ${id} refers to itself`);
  if ('query' in alarmPart) return;
  for (const other of idsOf(alarmPart.expression)) requireEvaluable(parts, other, [...trail, id], context);
}
