import { Stack, Token } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import { type IConstruct } from 'constructs';

import { allow } from '../internal/allow';
import { EVENT_SOURCE, type EventType } from '../../../core/events/change-events';
import { EVENT_MODULES, type EventEnvironment } from '../../../core/events/event-environment';
import { type BundledFunction, type BundledFunctionProps } from '../internal/bundled-function';

/** Options of a rule for one of a deployment's events. */
export interface ChangeEventOptions extends events.OnEventOptions {
  /** @default every tenant */
  readonly tenantId?: string;
}

/** The environment and optional modules of a function that sends events. Empty without a bus. */
export function eventSender(
  eventBus: events.IEventBus | undefined,
  modules: readonly string[] = [EVENT_MODULES.changeEvents],
): Pick<BundledFunctionProps, 'environment' | 'optionalModules'> {
  if (eventBus === undefined) return {};
  const environment = { EVENT_BUS_ARN: eventBus.eventBusArn } satisfies EventEnvironment;
  return { environment, optionalModules: modules };
}

/**
 * Lets a function send these events, and no others, to this bus.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-conditions.html
 */
export function allowSending(
  { role }: BundledFunction,
  eventBus: events.IEventBus | undefined,
  types: readonly EventType[],
): void {
  if (eventBus === undefined) return;
  allow(role, ['events:PutEvents'], [eventBus.eventBusArn], {
    StringEquals: { 'events:source': EVENT_SOURCE, 'events:detail-type': [...types] },
  });
}

/** A deployment of this app, or one that it refers to. */
interface SendingDeployment extends IConstruct {
  readonly issuer: string | undefined;
  readonly environment: string;
  readonly platformRegion: string | undefined;
  readonly prefix: string;
}

/**
 * Creates a rule for a deployment's events of one type.
 * @throws {Error} if the deployment sends no events, or to a bus of another account, where rules must be created
 */
export function onChange(
  latchkey: SendingDeployment,
  id: string,
  type: EventType,
  eventBus: events.IEventBus | undefined,
  options: ChangeEventOptions = {},
): events.Rule {
  if (eventBus === undefined)
    throw new Error(`${latchkey.node.path}: events: found nothing; allowed for rules: true, or an object`);
  const scope = options.crossStackScope ?? latchkey;
  const { account } = Stack.of(scope);
  const owner = eventBus.env.account;
  if (!Token.isUnresolved(owner) && !Token.isUnresolved(account) && owner !== account) {
    throw new Error(
      `${latchkey.node.path}: events.eventBusArn: found a bus of ${owner}; allowed for rules: a bus of ${account}, because rules are created in the account of their bus`,
    );
  }
  const { issuer, environment, platformRegion, prefix } = latchkey;
  const { target, tenantId, ruleName, description, eventPattern } = options;
  const rule = new events.Rule(scope, id, { eventBus, ruleName, description, eventPattern });
  rule.addEventPattern({
    source: [EVENT_SOURCE],
    detailType: [type],
    detail: {
      prefix: [prefix],
      ...(issuer !== undefined && { issuer: [issuer] }),
      environment: [environment],
      ...(platformRegion !== undefined && { platformRegion: [platformRegion] }),
      ...(tenantId !== undefined && { tenantId: [tenantId] }),
    },
  });
  rule.addTarget(target);
  return rule;
}
