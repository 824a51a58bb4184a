import { z } from 'zod';
import { type EventBus } from '../../account';
import { busArnOf } from '../../events/deliver-event';
import { eventPattern } from '../../events/event-pattern';
import { policyDocument } from '../../iam/policy-document';
import {
  alreadyExists,
  arnOf,
  description,
  irrelevant,
  notFound,
  physicalName,
  type ResourceContext,
  resourceType,
  tags,
} from '../resource-type';

export const eventBus = resourceType(
  z.strictObject({
    Name: z.string().min(1).max(256),
    Description: description,
    KmsKeyIdentifier: irrelevant('events stay in memory'),
    DeadLetterConfig: irrelevant('encryption, whose failures it receives, does not happen here'),
    LogConfig: irrelevant('the bus writes no log here'),
    Tags: tags,
  }),
  ({ Name }, context) => {
    const arn = arnOf(context, 'events', `event-bus/${Name}`);
    const { eventBuses } = context.account;
    if (eventBuses.has(arn)) throw alreadyExists(context, `event bus ${Name} already exists`);
    eventBuses.set(arn, { arn, name: Name });
    return { ref: Name, attributes: { Arn: arn, Name } };
  },
  {
    replacedBy: ['Name'],
    update: () => undefined,
    delete: ({ attributes }, { account }) => void account.eventBuses.delete(attributes.Arn!),
  },
);

export const eventBusPolicy = resourceType(
  z.strictObject({
    EventBusName: z.string().default('default'),
    StatementId: z.string().min(1).max(64),
    Statement: z
      .unknown()
      .transform((Statement): unknown => ({ Statement }))
      .pipe(policyDocument),
  }),
  ({ EventBusName, StatementId, Statement: { Statement } }, context) => {
    const bus = busAt(EventBusName, context);
    const statement = { ...[Statement].flat()[0]!, Sid: StatementId };
    bus.policy = { Version: '2012-10-17', Statement: [...statementsOf(bus), statement] };
    return { ref: StatementId, attributes: {} };
  },
  {
    replacedBy: ['EventBusName', 'StatementId'],
    delete: ({ properties: { EventBusName, StatementId } }, context) => {
      const bus = context.account.eventBuses.get(busArnOf(context.account, EventBusName));
      if (bus === undefined) return;
      const left = statementsOf(bus).filter(({ Sid }) => Sid !== StatementId);
      if (left.length === 0) delete bus.policy;
      else bus.policy = { Version: '2012-10-17', Statement: left };
    },
  },
);

function statementsOf({ policy }: EventBus) {
  return [policy?.Statement ?? []].flat();
}

const target = z.strictObject({
  Arn: z.string(),
  Id: z.string(),
  RoleArn: irrelevant('functions and queues take the permissions of their own policies'),
  Input: z.string().optional(),
  InputPath: z.string().optional(),
  InputTransformer: z.unknown().optional(),
  DeadLetterConfig: z.strictObject({ Arn: z.string() }).optional(),
  RetryPolicy: irrelevant('nothing is delivered a second time here'),
});

export const eventRule = resourceType(
  z.strictObject({
    Name: z.string().max(64).optional(),
    Description: description,
    EventBusName: z.string().default('default'),
    EventPattern: eventPattern.optional(),
    ScheduleExpression: irrelevant('EventBridge Scheduler has the schedules of this account'),
    State: z
      .enum(['ENABLED', 'DISABLED', 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS'])
      .default('ENABLED'),
    RoleArn: irrelevant('functions and queues take the permissions of their own policies'),
    Targets: z.array(target).max(5).default([]),
    Tags: tags,
  }),
  ({ Name, EventBusName, EventPattern, State, Targets }, context) => {
    const name = Name ?? physicalName(context);
    const bus = busAt(EventBusName, context);
    const isDefault = bus.name === 'default';
    const arn = arnOf(context, 'events', isDefault ? `rule/${name}` : `rule/${bus.name}/${name}`);
    const { eventRules } = context.account;
    if (eventRules.has(arn)) throw alreadyExists(context, `rule ${name} already exists`);
    if (EventPattern !== undefined) {
      eventRules.set(arn, {
        arn,
        name,
        busArn: bus.arn,
        isEnabled: State !== 'DISABLED',
        pattern: EventPattern,
        targets: Targets.map(({ Arn, Input, InputPath, InputTransformer, DeadLetterConfig }) => ({
          arn: Arn,
          hasOwnInput: [Input, InputPath, InputTransformer].some((each) => each !== undefined),
          ...(DeadLetterConfig && { deadLetterArn: DeadLetterConfig.Arn }),
        })),
      });
    }
    return { ref: isDefault ? name : `${bus.name}|${name}`, attributes: { Arn: arn } };
  },
  {
    replacedBy: ['EventBusName', 'Name'],
    delete: ({ attributes }, { account }) => void account.eventRules.delete(attributes.Arn!),
  },
);

/** @throws {TemplateError} `not_found` */
function busAt(nameOrArn: string, context: ResourceContext): EventBus {
  const bus = context.account.eventBuses.get(busArnOf(context.account, nameOrArn));
  if (bus) return bus;
  throw notFound(context, `Event bus ${nameOrArn} does not exist.`);
}
