import { type Account, type EventRule, type EventTarget } from '../account';
import { LocalQueueSender } from '../aws/sqs-service';
import { type Call } from '../aws/operation';
import { requireInvocationAllowed } from '../iam/authorize';
import { servicePrincipal } from '../iam/principal';
import { matchesPattern } from './event-pattern';

/** An event as rules match it and targets get it. @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-events-structure.html */
export interface BusEvent {
  version: '0';
  id: string;
  'detail-type': string;
  source: string;
  account: string;
  time: string;
  region: string;
  resources: readonly string[];
  detail: Readonly<Record<string, unknown>>;
}

type Delivery = Pick<Call, 'account' | 'clock' | 'invoker' | 'reporter'>;

/**
 * Delivers an event to the targets of every rule of the bus that matches it, at once and in no particular order. A target that
 * refuses it gets no second attempt: here only permissions and missing targets fail, which AWS does not retry either.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-event-delivery.html
 */
export function deliverEvent(delivery: Delivery, busArn: string, event: BusEvent): void {
  for (const rule of delivery.account.eventRules.values()) {
    if (rule.busArn !== busArn || !rule.isEnabled || !matchesPattern(rule.pattern, event)) continue;
    for (const target of rule.targets) deliverTo(delivery, rule, target, event);
  }
}

function deliverTo(delivery: Delivery, rule: EventRule, target: EventTarget, event: BusEvent): void {
  const { account, reporter } = delivery;
  const body = JSON.stringify(event);
  try {
    invokeTarget(delivery, rule, target, body);
  } catch (error) {
    const { message } = error as Error;
    reporter.warning(`rule ${rule.name} could not deliver to ${target.arn}: ${message}`);
    if (target.deadLetterArn === undefined) return;
    try {
      send(delivery, rule, target.deadLetterArn, body, {
        RULE_ARN: rule.arn,
        TARGET_ARN: target.arn,
        ERROR_CODE: account.functions.has(target.arn) ? 'NO_PERMISSIONS' : 'NO_RESOURCE',
        ERROR_MESSAGE: message,
      });
    } catch (refusal) {
      reporter.warning(`rule ${rule.name} dropped an event: ${(refusal as Error).message}`);
    }
  }
}

/** @throws {Error} if the target does not exist, refuses the rule, or is of a kind that is not served here */
function invokeTarget(
  delivery: Delivery,
  rule: EventRule,
  { arn, hasOwnInput }: EventTarget,
  body: string,
): void {
  if (hasOwnInput) throw new Error('the local account delivers only whole events');
  const service = arn.split(':')[2];
  if (service === 'sqs') return send(delivery, rule, arn, body);
  if (service !== 'lambda') throw new Error('the local account delivers only to functions and queues');
  const { account, invoker } = delivery;
  requireInvocationAllowed(
    { account, principal: servicePrincipal('events.amazonaws.com', rule.arn, account) },
    arn,
  );
  invoker.invokeAsync(arn, Buffer.from(body));
}

function send(
  { account, clock }: Delivery,
  rule: EventRule,
  queueArn: string,
  body: string,
  attributes?: Record<string, string>,
): void {
  const principal = servicePrincipal('events.amazonaws.com', rule.arn, account);
  new LocalQueueSender(account, clock).send(principal, queueArn, body, attributes);
}

/** The ARN of a bus that is given by name or ARN. */
export function busArnOf(account: Account, nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn : account.arn('events', `event-bus/${nameOrArn}`);
}
