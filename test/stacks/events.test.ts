import { readdirSync } from 'node:fs';

import { type Stack } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as sqs from 'aws-cdk-lib/aws-sqs';

import { Latchkey, type LatchkeyProps } from '../../lib';
import { matchesPattern } from 'cdk-on-loopback/testing';
import { ACCOUNT_ID, REGION, written } from '../support/lib/configuration';
import { faultsOf } from '../support/lib/faults';
import { latchkeyIn, learningStack } from '../support/lib/learning';
import { Synthesis, synthesisWith, temporaryApp } from '../support/lib/synthesis';

const BUS = `arn:aws:events:${REGION}:${ACCOUNT_ID}:event-bus/team`;
const OTHER_REGION = BUS.replace(REGION, 'us-east-1');
const OTHER_ACCOUNT = BUS.replace(ACCOUNT_ID, '999988887777');

/** The statements that allow sending events. */
const sending = (synthesis: Synthesis) =>
  synthesis.statements().filter(({ Action }) => [Action].flat().includes('events:PutEvents'));

describe('with events', () => {
  const synthesis = synthesisWith({ events: true });

  it('three functions may send their own events to exactly the default bus', () => {
    const statements = sending(synthesis);
    const changed = ['Credential Rotated', 'Credential Revoked'];

    expect(statements).toMatchObject(
      [['Token Renewed'], ['Token Renewed'], changed].map((types) => ({
        Action: 'events:PutEvents',
        Resource: statements[0]!.Resource,
        Condition: { StringEquals: { 'events:source': 'latchkey', 'events:detail-type': types } },
      })),
    );
    expect(JSON.stringify(statements[0]!.Resource)).toContain(
      `:events:${REGION}:${ACCOUNT_ID}:event-bus/default`,
    );
  });

  it('only they have the code and the name of the bus', () => {
    const named = synthesis
      .properties('AWS::Lambda::Function')
      .filter(({ Environment }) => JSON.stringify(Environment ?? {}).includes('EVENT_BUS_ARN'))
      .map(({ Description }) => (Description as string).split(' ')[0]);
    const modules = synthesis.codeFolders().map((folder) =>
      readdirSync(folder)
        .filter((name) => !['deployment.json', 'handler.js'].includes(name))
        .join(),
    );

    expect(named.sort()).toEqual(['rotate-credentials', 'token-refresh', 'token-sweep']);
    expect(modules.filter((each) => each !== '').sort()).toEqual([
      'announce.js,change-events.js',
      'change-events.js',
      'change-events.js',
    ]);
  });

  it('the bus is published, for rules of other stacks and for the command', () => {
    expect(JSON.stringify(synthesis.parameters()['event-bus-arn'])).toContain(':event-bus/default');
  });

  it('another bus gets them instead', () => {
    const resources = sending(synthesisWith({ events: { eventBusArn: BUS } })).map(
      ({ Resource }) => Resource,
    );

    expect(resources).toEqual([BUS, BUS, BUS]);
  });
});

describe('the configuration refuses', () => {
  const NOT_AN_OBJECT = 'allowed: true, for the account’s default event bus; or an object';
  it.each<[unknown, string]>([
    ['default', `: found "default"; ${NOT_AN_OBJECT}`],
    [false, `: found false; ${NOT_AN_OBJECT}`],
    [{ eventBusArn: 'team' }, '.eventBusArn: found "team"; allowed: the full ARN of an event bus'],
    [{ bus: BUS }, '.bus: found a field of this name; allowed: eventBusArn'],
    [
      { eventBusArn: OTHER_REGION },
      `.eventBusArn: found "${OTHER_REGION}"; allowed: an event bus in ${REGION}`,
    ],
  ])('%j', (given, message) => {
    expect(faultsOf(written({ events: given as never }))).toContainEqual(
      expect.stringContaining(`deployments[0].events${message}`),
    );
  });

  it('no bus of another account', () => {
    expect(faultsOf(written({ events: { eventBusArn: OTHER_ACCOUNT } }))).toEqual([]);
  });
});

describe('a Latchkey of a CDK app', () => {
  const EVENT = {
    source: 'latchkey',
    'detail-type': 'Token Renewed',
    detail: { prefix: 'latchkey', environment: 'staging', platformRegion: 'global', tenantId: 'tenant-a' },
  };

  /** Synthesizes an app whose stack has a deployment, or finds one, and a rule. */
  function ruleOf(make: (stack: Stack, target: targets.SqsQueue) => events.Rule): Record<string, unknown> {
    const app = temporaryApp();
    const stack = learningStack(app);
    make(stack, new targets.SqsQueue(new sqs.Queue(stack, 'Queue')));
    return new Synthesis(app).only('AWS::Events::Rule').Properties;
  }
  const own = (stack: Stack, props: Partial<LatchkeyProps> = {}) =>
    latchkeyIn(stack, { events: true, ...props });
  const matches = ({ EventPattern }: Record<string, unknown>, part: object = {}, detail: object = {}) =>
    matchesPattern(EventPattern as Record<string, unknown>, {
      ...EVENT,
      ...part,
      detail: { ...EVENT.detail, ...detail },
    });

  it('creates rules that match its own events alone', () => {
    const rule = ruleOf((stack, target) => own(stack).onTokenRenewed('Renewed', { target }));

    expect(matches(rule)).toBe(true);
    expect(rule.Targets).toHaveLength(1);
    expect(matches(rule, { source: 'shop' })).toBe(false);
    expect(matches(rule, { 'detail-type': 'Credential Rotated' })).toBe(false);
    for (const other of [{ prefix: 'acme' }, { environment: 'production' }, { platformRegion: 'mea' }])
      expect(matches(rule, {}, other)).toBe(false);
  });

  it('can limit them to a tenant, and to more of the event', () => {
    const rule = ruleOf((stack, target) =>
      own(stack).onTokenRenewed('Renewed', {
        target,
        tenantId: 'tenant-a',
        ruleName: 'renewed',
        description: 'Tells the services',
        eventPattern: { detail: { scope: ['api/read'] } },
      }),
    );

    expect(rule).toMatchObject({ Name: 'renewed', Description: 'Tells the services' });
    expect(matches(rule, {}, { scope: 'api/read' })).toBe(true);
    expect(matches(rule, {}, { scope: 'api/write' })).toBe(false);
    expect(matches(rule, {}, { scope: 'api/read', tenantId: 'tenant-b' })).toBe(false);
  });

  it.each<[string, 'onCredentialRotated' | 'onCredentialRevoked']>([
    ['Credential Rotated', 'onCredentialRotated'],
    ['Credential Revoked', 'onCredentialRevoked'],
  ])('has a method for %s, too', (type, method) => {
    const rule = ruleOf((stack) => own(stack)[method]('Rule'));

    expect(matches(rule, { 'detail-type': type })).toBe(true);
    expect(matches(rule)).toBe(false);
  });

  it('creates rules on the bus that it sends to, which may be one of the same stack', () => {
    const rule = ruleOf((stack, target) =>
      own(stack, {
        events: undefined,
        resources: { eventBus: new events.EventBus(stack, 'Bus') },
      }).onTokenRenewed('R', { target }),
    );

    expect(rule.EventBusName).toEqual({ Ref: expect.stringMatching(/^Bus/) as string });
  });

  it('of another stack is found with its bus', () => {
    const rule = ruleOf((stack, target) => {
      const found = Latchkey.fromLookup(stack, 'Found', { environment: 'staging' });
      found.onTokenRenewed('Other', { target }).node.tryRemoveChild('Resource');
      return found.onTokenRenewed('Renewed', { target });
    });

    expect(matches(rule)).toBe(true);
    expect(JSON.stringify(rule.EventBusName)).toMatch(/latchkeystagingglobaleventbusarn/);
  });

  it.each<[string, (stack: Stack) => events.Rule, string]>([
    [
      'without events',
      (stack) => own(stack, { events: undefined }).onTokenRenewed('Renewed'),
      'learning/Latchkey: events: found nothing; allowed for rules: true, or an object',
    ],
    [
      'with a bus of another account',
      (stack) => own(stack, { events: { eventBusArn: OTHER_ACCOUNT } }).onTokenRenewed('Renewed'),
      'learning/Latchkey: events.eventBusArn: found a bus of 999988887777; allowed for rules: a bus of 222233334444',
    ],
    [
      'of a deployment that is known by its attributes',
      (stack) =>
        Latchkey.fromAttributes(stack, 'Latchkey', {
          environment: 'staging',
          account: '999988887777',
          region: REGION,
          encryptionKeyArn: `arn:aws:kms:${REGION}:999988887777:key/k`,
          tokenRefreshArn: `arn:aws:lambda:${REGION}:999988887777:function:refresh`,
        }).onTokenRenewed('Renewed'),
      'learning/Latchkey: found a deployment by its attributes; allowed for rules: one that this app creates, or Latchkey.fromLookup in a stack of 999988887777 in eu-west-1, because',
    ],
  ])('creates no rule %s', (_, make, message) => {
    expect(() => ruleOf(make)).toThrow(message);
  });

  it('refuses a bus that is none', () => {
    const eventBus = 'default' as unknown as events.IEventBus;

    expect(() => ruleOf((stack) => own(stack, { resources: { eventBus } }).onTokenRenewed('R'))).toThrow(
      'resources.eventBus: found "default"; allowed: an events.IEventBus',
    );
  });
});
