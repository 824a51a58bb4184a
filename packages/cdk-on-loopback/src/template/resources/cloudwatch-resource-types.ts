import { z } from 'zod';
import {
  type AlarmDefinition,
  COMPARISON_OPERATORS,
  type MetricAlarm,
  MISSING_DATA_TREATMENTS,
  type AlarmRule,
} from '../../cloudwatch/alarm-definition';
import { alarmsOf, parseAlarmRule } from '../../cloudwatch/alarm-rule';
import { type CreatedResource } from '../resolve';
import {
  alreadyExists,
  arnOf,
  invalidTemplate,
  notFound,
  notSupported,
  only,
  physicalName,
  type ResourceContext,
  resourceType,
  tags,
  wholeNumber,
} from '../resource-type';
import { watchedBy, watchedProperties } from './watched-metrics';

const actions = z.array(z.string().regex(/^arn:aws:sns:/, 'only a topic')).default([]);

const everyAlarm = {
  AlarmName: z.string().max(255).optional(),
  AlarmDescription: z.string().max(1024).optional(),
  ActionsEnabled: z.boolean().default(true),
  AlarmActions: actions,
  OKActions: actions,
  InsufficientDataActions: actions,
  Tags: tags,
};

export const alarm = resourceType(
  z.strictObject({
    ...everyAlarm,
    ...watchedProperties,
    ComparisonOperator: z.enum(COMPARISON_OPERATORS),
    Threshold: z.number(),
    EvaluationPeriods: wholeNumber,
    DatapointsToAlarm: wholeNumber.optional(),
    EvaluateLowSampleCountPercentile: only('evaluate'),
    TreatMissingData: z.enum(MISSING_DATA_TREATMENTS).default('missing'),
    WarmUpConfiguration: z
      .strictObject({
        WarmUpPeriodDurationInMinutes: wholeNumber,
        OnlyStartEvaluatingAfterWarmUpPeriodEnds: only(false),
      })
      .optional(),
  }),
  (properties, context) =>
    add(context, {
      ...common(properties, context),
      ...watchedBy(properties, context),
      kind: 'metric',
      evaluationPeriods: properties.EvaluationPeriods,
      datapointsToAlarm: properties.DatapointsToAlarm ?? properties.EvaluationPeriods,
      threshold: properties.Threshold,
      comparison: properties.ComparisonOperator,
      missingData: properties.TreatMissingData,
      warmUpSec: 60 * (properties.WarmUpConfiguration?.WarmUpPeriodDurationInMinutes ?? 0),
    }),
  { replacedBy: ['AlarmName'], delete: remove },
);

export const compositeAlarm = resourceType(
  z.strictObject({ ...everyAlarm, AlarmRule: z.string() }),
  (properties, context) => {
    const ruleText = properties.AlarmRule;
    const rule = readRule(ruleText, context);
    const { alarms } = context.account;
    const missing = alarmsOf(rule).find(
      (name) => !alarms.has(name) && !alarms.has(arnOf(context, 'cloudwatch', `alarm:${name}`)),
    );
    if (missing !== undefined) throw notFound(context, `the account has no alarm ${missing}`);
    return add(context, { ...common(properties, context), kind: 'composite', rule, ruleText });
  },
  { replacedBy: ['AlarmName'], delete: remove },
);

/** Only its form is checked, since nothing displays it. */
export const dashboard = resourceType(
  z.strictObject({ DashboardName: z.string().optional(), DashboardBody: z.string(), Tags: tags }),
  ({ DashboardName, DashboardBody }, context) => {
    try {
      JSON.parse(DashboardBody);
    } catch (cause) {
      throw invalidTemplate(context, `the dashboard's body is not JSON: ${(cause as Error).message}`);
    }
    return { ref: DashboardName ?? physicalName(context), attributes: {} };
  },
  { replacedBy: ['DashboardName'] },
);

function readRule(text: string, context: ResourceContext): AlarmRule {
  try {
    return parseAlarmRule(text);
  } catch (cause) {
    throw notSupported(context, (cause as Error).message);
  }
}

function common(
  properties: z.output<z.ZodObject<typeof everyAlarm>>,
  context: ResourceContext,
): Pick<MetricAlarm, 'name' | 'arn' | 'description' | 'actionsEnabled' | 'actions'> {
  const name = properties.AlarmName ?? physicalName(context);
  return {
    name,
    arn: arnOf(context, 'cloudwatch', `alarm:${name}`),
    description: properties.AlarmDescription,
    actionsEnabled: properties.ActionsEnabled,
    actions: {
      ALARM: properties.AlarmActions,
      OK: properties.OKActions,
      INSUFFICIENT_DATA: properties.InsufficientDataActions,
    },
  };
}

function add(context: ResourceContext, definition: AlarmDefinition): CreatedResource {
  const { name, arn } = definition;
  const { alarms } = context.account;
  if (alarms.has(arn)) throw alreadyExists(context, `alarm ${name} already exists`);
  alarms.set(arn, definition);
  return { ref: name, attributes: { Arn: arn } };
}

function remove({ attributes }: CreatedResource, { account }: ResourceContext): void {
  account.alarms.delete(attributes.Arn!);
}
