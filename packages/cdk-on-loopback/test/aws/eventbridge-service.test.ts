import { PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type PolicyStatement, type Queue } from '../../src/account';
import { provisionResources } from '../../src/testing/stacks';
import { ACCOUNT_ID, expectDenied, LocalAws } from '../../src/testing/local-aws';
import { admitting, allow } from '../support/policies';

const BUS = `arn:aws:events:eu-west-1:${ACCOUNT_ID}:event-bus/default`;
const RULE = `arn:aws:events:eu-west-1:${ACCOUNT_ID}:rule/renewals`;
const OTHER_BUS = 'arn:aws:events:eu-west-1:444455556666:event-bus/team';
const ENTRY = { Source: 'shop', DetailType: 'Sold', Detail: '{"item":"tea"}', Resources: ['arn:of:it'] };
const PATTERN = { source: ['shop'], 'detail-type': ['Sold'], detail: { item: [{ prefix: 't' }] } };

const maySend = (Resource: string, Condition?: PolicyStatement['Condition']) =>
  allow('events:PutEvents', Resource, Condition);

let aws: LocalAws;
let queue: Queue;

beforeEach(async () => {
  aws = new LocalAws();
  queue = aws.addQueue('sales');
  await aws.start();
});
afterEach(() => aws.stop());

const put = (part: Partial<PutEventsRequestEntry> = {}, key?: Parameters<LocalAws['roleKey']>[0]) =>
  aws.eventBridge(key && aws.roleKey(key)).send(new PutEventsCommand({ Entries: [{ ...ENTRY, ...part }] }));
const provision = (resources: Parameters<typeof provisionResources>[0]) =>
  provisionResources(resources, { account: aws.account });
const rule = (part: object = {}) =>
  provision({
    Rule: [
      'AWS::Events::Rule',
      { Name: 'renewals', EventPattern: PATTERN, Targets: [{ Arn: queue.arn, Id: 'T' }], ...part },
    ],
  });
const letRuleSend = () => {
  queue.policy = admitting('events.amazonaws.com', 'sqs:SendMessage', queue.arn, RULE);
};
const bodies = () => queue.messages.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

it('delivers an event with its envelope to the queue of a rule that matches', async () => {
  rule();
  letRuleSend();

  const { Entries, FailedEntryCount } = await put();

  expect(FailedEntryCount).toBe(0);
  expect(bodies()).toEqual([
    {
      version: '0',
      id: Entries![0]!.EventId,
      'detail-type': 'Sold',
      source: 'shop',
      account: ACCOUNT_ID,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      region: 'eu-west-1',
      resources: ['arn:of:it'],
      detail: { item: 'tea' },
    },
  ]);
});

it.each<[why: string, entry: Partial<PutEventsRequestEntry>, rule: object]>([
  ['of another source', { Source: 'kiosk' }, {}],
  ['of another type', { DetailType: 'Bought' }, {}],
  ['whose detail does not match', { Detail: '{"item":"coffee"}' }, {}],
  ['while the rule is disabled', {}, { State: 'DISABLED' }],
])('delivers no event %s', async (_, entry, part) => {
  rule(part);
  letRuleSend();

  await put(entry);

  expect(queue.messages).toEqual([]);
});

it('warns if a queue’s policy refuses the rule, and leaves the event in the rule’s dead-letter queue', async () => {
  const dead = aws.addQueue('dead');
  dead.policy = admitting('events.amazonaws.com', 'sqs:SendMessage', dead.arn);
  rule({ Targets: [{ Arn: queue.arn, Id: 'T', DeadLetterConfig: { Arn: dead.arn } }] });

  await put();

  expect(queue.messages).toEqual([]);
  expect(aws.warnings.join()).toContain('events.amazonaws.com is not authorized to perform: sqs:SendMessage');
  expect(dead.messages).toMatchObject([{ attributes: { RULE_ARN: RULE, TARGET_ARN: queue.arn } }]);
});

it('invokes a function only if its policy allows the rule', async () => {
  const { arn } = aws.addFunction('listener');
  rule({ Targets: [{ Arn: arn, Id: 'T' }] });

  await put();
  expect(aws.invoker.invoked).toEqual([]);
  expect(aws.warnings.join()).toContain('lambda:InvokeFunction');
  const permission = {
    FunctionName: 'listener',
    Action: 'lambda:InvokeFunction',
    Principal: 'events.amazonaws.com',
    SourceArn: RULE,
  };
  provision({ Permission: ['AWS::Lambda::Permission', permission] });
  await put();

  expect(aws.invoker.invoked).toEqual([
    { arn, isAsync: true, payload: expect.stringContaining('"detail-type":"Sold"') as string },
  ]);
});

it('says of kinds of targets that are not served that it did not deliver', async () => {
  const topic = `arn:aws:sns:eu-west-1:${ACCOUNT_ID}:topic`;
  rule({
    Targets: [
      { Arn: topic, Id: 'T' },
      { Arn: queue.arn, Id: 'U', InputPath: '$.detail' },
    ],
  });
  letRuleSend();

  await put();

  expect(aws.warnings).toEqual([
    expect.stringContaining('only to functions and queues'),
    expect.stringContaining('only whole events'),
  ]);
  expect(queue.messages).toEqual([]);
});

it('refuses a rule with an operator that it does not evaluate', () => {
  expect(() => rule({ EventPattern: { detail: { price: [{ numeric: ['>', 1] }] } } })).toThrow(
    'properties that the local account does not support',
  );
});

it('fails single entries as AWS does', async () => {
  const { Entries, FailedEntryCount } = await aws.eventBridge().send(
    new PutEventsCommand({
      Entries: [
        ENTRY,
        { ...ENTRY, Source: 'aws.shop' },
        { ...ENTRY, Detail: 'tea' },
        { ...ENTRY, DetailType: undefined },
        { ...ENTRY, EventBusName: 'missing' },
      ],
    }),
  );

  expect(FailedEntryCount).toBe(4);
  expect(Entries!.map(({ ErrorCode }) => ErrorCode)).toEqual([
    undefined,
    'NotAuthorizedForSource',
    'MalformedDetail',
    'InvalidArgument',
    'InvalidArgument',
  ]);
});

it.each<[what: string, statement: PolicyStatement, entry: Partial<PutEventsRequestEntry>]>([
  ['another bus', maySend(`${BUS}2`), {}],
  ['another source', maySend(BUS, { StringEquals: { 'events:source': 'kiosk' } }), {}],
  ['another type', maySend(BUS, { StringEquals: { 'events:detail-type': ['Bought'] } }), {}],
])('denies a role that may send to %s only', async (_, statement, entry) => {
  await expectDenied(put(entry, statement), 'events:PutEvents', BUS);
});

it('lets a role send what its conditions name', async () => {
  const conditions = { StringEquals: { 'events:source': 'shop', 'events:detail-type': ['Sold', 'Bought'] } };

  expect((await put({}, maySend(BUS, conditions))).FailedEntryCount).toBe(0);
});

describe('a bus of its own, with a policy', () => {
  it('has rules of its own, which get no events of the default bus', async () => {
    const bus = `arn:aws:events:eu-west-1:${ACCOUNT_ID}:event-bus/team`;
    const EventBusName = { Ref: 'Bus' };
    const Statement = { Effect: 'Deny', Principal: '*', Action: 'events:PutEvents', Resource: bus };
    provision({
      Bus: ['AWS::Events::EventBus', { Name: 'team' }],
      Policy: ['AWS::Events::EventBusPolicy', { EventBusName, StatementId: 'latchkey', Statement }],
      Rule: [
        'AWS::Events::Rule',
        { Name: 'sales', EventBusName, EventPattern: PATTERN, Targets: [{ Arn: queue.arn, Id: 'T' }] },
      ],
    });
    queue.policy = admitting('events.amazonaws.com', 'sqs:SendMessage', queue.arn);

    await put();
    expect(queue.messages).toEqual([]);
    await expectDenied(put({ EventBusName: 'team' }), 'events:PutEvents', bus);
    aws.account.eventBuses.get(bus)!.policy = undefined;
    await put({ EventBusName: bus });

    expect(bodies()).toHaveLength(1);
  });

  it('of another account, admits a role only if the bus’s policy and its own do', async () => {
    const statement = {
      ...maySend(OTHER_BUS, { StringEquals: { 'events:source': 'shop' } }),
      Principal: { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` },
    };
    const other = { arn: OTHER_BUS, name: 'team' };
    aws.account.eventBuses.set(OTHER_BUS, other);
    const send = (own: PolicyStatement, Source = 'shop') => put({ EventBusName: OTHER_BUS, Source }, own);

    await expectDenied(send(maySend(OTHER_BUS)), 'events:PutEvents', OTHER_BUS);
    aws.account.eventBuses.set(OTHER_BUS, { ...other, policy: { Statement: statement } });
    expect((await send(maySend(OTHER_BUS))).FailedEntryCount).toBe(0);
    await expectDenied(send(maySend(BUS)), 'events:PutEvents', OTHER_BUS);
    await expectDenied(send(maySend(OTHER_BUS), 'kiosk'), 'events:PutEvents', OTHER_BUS);
  });
});
