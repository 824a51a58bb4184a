import { Aws, Fn, type Stack, Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as events from 'aws-cdk-lib/aws-events';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';

import { AlarmTopic, Latchkey, type LatchkeyProps, TokenRefresher } from '../../../lib';
import { parseConfiguration } from '../../../lib/options/load';
import { ACCOUNT_ID, REGION, tenant, type WrittenDeployment, written } from '../../support/lib/configuration';
import { DOMAIN } from '../../support/lib/edge';
import { faultsIn } from '../../support/lib/faults';
import { latchkeyIn, learningStack, OPTIONS } from '../../support/lib/learning';
import { Synthesis, temporaryApp } from '../../support/lib/synthesis';

const ARN = (service: string, resource: string, region: string = REGION) =>
  `arn:aws:${service}:${region}:${ACCOUNT_ID}:${resource}`;
const ROLE = `arn:aws:iam::${ACCOUNT_ID}:role/break-glass`;
const LATE = 'found a value that only the deployment knows; allowed: one that is known at synthesis';
const listOf = (text: string) => Fn.split(',', Fn.importValue(text));

const faultsOf = (stack: Stack, options: object) => faultsIn(() => latchkeyIn(stack, options));

type Mistake = [mistake: string, options: (stack: Stack) => object, ...lines: string[]];

/** What somebody does in an app, and how each line of the error begins. */
const MISTAKES: Mistake[] = [
  // What only the deployment knows.
  [
    'a late list of readers',
    () => ({ secretReaders: { breakGlassRoleArn: ROLE, credentials: listOf('roles') } }),
    'secretReaders.credentials[0]: found "#{Token[',
  ],
  [
    'a late list of keys',
    () => ({ formerKmsKeyArns: listOf('keys') }),
    'formerKmsKeyArns[0]: found "#{Token[',
  ],
  [
    'a late file',
    () => ({ certificateAuthorities: { file: Fn.importValue('file') } }),
    `certificateAuthorities.file: ${LATE}`,
  ],
  ['a late number', () => ({ readerCacheSec: Token.asNumber({ Ref: 'Cache' }) }), `readerCacheSec: ${LATE}`],
  [
    'a partly late ARN of an alias',
    () => ({ kmsKeyArn: `arn:aws:kms:${Aws.REGION}:${ACCOUNT_ID}:alias/${Fn.importValue('name')}` }),
    'kmsKeyArn: found "arn:aws:kms:${Token[',
  ],
  [
    'a partly late ARN of another region',
    () => ({ kmsKeyArn: `arn:${Fn.join('::', [Aws.PARTITION])}:kms:us-east-1:${Aws.ACCOUNT_ID}:key/k` }),
    'kmsKeyArn: found "arn:${Token[',
  ],
  ['a NUL for an ARN', () => ({ kmsKeyArn: '\0' }), 'kmsKeyArn: found "'],
  // Values that JSON does not have.
  ['a function', () => ({ prefix: () => 'x' }), 'prefix: found a function; allowed: '],
  ['no number', () => ({ readerCacheSec: NaN }), 'readerCacheSec: found NaN; allowed: whole seconds'],
  // One fault, one line.
  [
    'a fraction below the minimum',
    () => ({ readerCacheSec: -1e300 }),
    'readerCacheSec: found -1e+300; allowed: whole seconds from 0',
  ],
  [
    'nothing beside a bus',
    (stack) => ({ events: null, resources: { eventBus: new events.EventBus(stack, 'Bus') } }),
    'events: found null; allowed: nothing together with resources.eventBus',
  ],
  ...[null, 'x'].map((alarms): Mistake => [
    `${String(alarms)} for alarms beside a topic`,
    (stack) => ({ alarms, resources: { alarmTopic: new sns.Topic(stack, 'Topic') } }),
    `alarms: found ${JSON.stringify(alarms)}; allowed: a value of type object`,
  ]),
  [
    'several texts for objects',
    () => ({
      resources: { alarmTopic: 'arn:topic', encryptionKey: 'arn:key' },
      alarms: { emails: 'a@b.example' },
      restoreApi: null,
    }),
    'resources.encryptionKey: found "arn:key"; allowed: a kms.IKey',
    'resources.alarmTopic: found "arn:topic"; allowed: an sns.ITopic',
    'restoreApi: found null; allowed: a value of type object',
    'alarms.emails: found "a@b.example"; allowed: a list of e-mail addresses',
  ],
  // Resources.
  [
    'security groups without a network',
    (stack) => ({
      resources: { securityGroups: [ec2.SecurityGroup.fromSecurityGroupId(stack, 'Group', 'sg-0a')] },
    }),
    'resources.securityGroups: found a list; allowed: nothing without resources.vpc',
  ],
  [
    'two keys for one purpose',
    (stack) => ({ kmsKeyArn: ARN('kms', 'key/k'), resources: { encryptionKey: new kms.Key(stack, 'Key') } }),
    `kmsKeyArn: found "${ARN('kms', 'key/k')}"; allowed: nothing together with resources.encryptionKey`,
  ],
  ...['toString', '__proto__'].map((name): Mistake => [
    `a resource named ${name}`,
    () => ({ resources: { [name]: {} } }),
    `resources.${name}: found a field of this name; allowed: encryptionKey, `,
  ]),
  [
    'nothing for resources',
    () => ({ resources: null }),
    'resources: found null; allowed: an object with enc',
  ],
  [
    'a subscription',
    (stack) => ({
      resources: {
        alarmTopic: new sns.CfnSubscription(stack, 'S', { topicArn: ARN('sns', 't'), protocol: 'sms' }),
      },
    }),
    'resources.alarmTopic: found an object; allowed: an sns.ITopic',
  ],
  [
    'the id of a VPC',
    () => ({ resources: { vpc: { vpcId: 'vpc-0a' } } }),
    'resources.vpc: found an object; allowed: an ec2.IVpc',
  ],
  [
    'ids of security groups',
    (stack) => ({ resources: { vpc: new ec2.Vpc(stack, 'Vpc'), securityGroups: ['sg-0a'] } }),
    'resources.securityGroups[0]: found "sg-0a"; allowed: an ec2.ISecurityGroup',
  ],
  [
    'an alias as the key',
    (stack) => ({ resources: { encryptionKey: kms.Alias.fromAliasName(stack, 'Alias', 'alias/team') } }),
    'resources.encryptionKey.keyArn: found "arn:${Token[',
  ],
  [
    'a topic of another region, and addresses for a new one',
    (stack) => ({
      alarms: { emails: ['a@b.example'] },
      resources: { alarmTopic: sns.Topic.fromTopicArn(stack, 'T', ARN('sns', 't', 'us-east-1')) },
    }),
    'alarms.emails: found a list; allowed: nothing together with resources.alarmTopic',
    `resources.alarmTopic: found "${ARN('sns', 't', 'us-east-1')}"; allowed: a topic in eu-west-1`,
  ],
  [
    'the former key as the new one',
    (stack) => ({
      formerKmsKeyArns: [ARN('kms', 'key/k')],
      resources: { encryptionKey: kms.Key.fromKeyArn(stack, 'K', ARN('kms', 'key/k')) },
    }),
    `formerKmsKeyArns[0]: found "${ARN('kms', 'key/k')}"; allowed: another key than resources.encryptionKey`,
  ],
];

it.each(MISTAKES)('says what is wrong with %s', (_, options, ...begins) => {
  const stack = learningStack();

  const lines = faultsOf(stack, options(stack));

  expect(lines.map((line, index) => line.slice(0, begins[index]?.length))).toEqual(begins);
});

it.each([
  ['a zone that was not looked up yet', { restoreApi: { domain: { ...DOMAIN, hostedZoneId: 'DUMMY' } } }],
  ['a partly late ARN', { kmsKeyArn: `arn:${Aws.PARTITION}:kms:${Aws.REGION}:${ACCOUNT_ID}:key/k` }],
  ['a late end of an ARN', { kmsKeyArn: ARN('kms', `key/${Fn.importValue('key')}`) }],
  ['a late role', { secretReaders: { breakGlassRoleArn: Fn.importValue('role') } }],
  ['late private endpoints', { restoreApi: { vpcEndpointIds: listOf('endpoints') } }],
  [
    'late subnets and security groups',
    {
      vpc: { vpcId: Fn.importValue('vpc'), subnetIds: listOf('subnets'), securityGroupIds: listOf('groups') },
    },
  ],
])('takes %s', (_, options) => {
  const app = temporaryApp();

  expect(faultsOf(learningStack(app), options)).toEqual([]);
  expect(new Synthesis(app).resources('AWS::Lambda::Function').length).toBeGreaterThan(3);
});

it('reads options by the getters of their classes, and those that they inherit', () => {
  class Alarms {
    get tokenLifeMinutes() {
      return 99;
    }
  }
  const inherited = {
    ...OPTIONS,
    alarms: new Alarms(),
    resources: Object.create({ vpcSubnets: {} }) as object,
  };
  const options = Object.create(inherited) as LatchkeyProps;

  expect(faultsIn(() => new Latchkey(learningStack(), 'L', options))).toEqual([
    'resources.vpcSubnets: found an object; allowed: nothing without resources.vpc',
    expect.stringMatching(/^alarms\.tokenLifeMinutes: found 99; allowed: whole minutes/),
  ]);
});

it('gives out options that nobody can change, and that do not change with those given', () => {
  const options = { ...OPTIONS, tenants: [tenant('tenant-a')] };

  const latchkey = new Latchkey(learningStack(), 'L', options);
  options.tenants.push(tenant('tenant-b'));

  expect(latchkey.options.tenants).toHaveLength(1);
  expect(() => (latchkey.options.tenants as unknown[]).push({})).toThrow(TypeError);
  expect(() => Object.assign(latchkey.options.alarms, { tokenLifeMinutes: 99 })).toThrow(TypeError);
});

it.each([AlarmTopic, TokenRefresher])(
  'says that %p needs a deployment',
  (Part: new (...args: never[]) => unknown) => {
    const create = (props: unknown) => () => new Part(...([learningStack(), 'Part', props] as never[]));
    const line = expect.stringMatching(/^deployment: found .*; allowed: a DeploymentSettings$/) as string;

    expect(faultsIn(create({ deployment: OPTIONS }))).toEqual([line]);
    expect(faultsIn(create(undefined))).toEqual([line]);
  },
);

describe('a configuration file', () => {
  it.each<[string, Partial<WrittenDeployment>]>([
    ['kmsKeyArn', { kmsKeyArn: '${Token[TOKEN.1]}' }],
    ['kmsKeyArn', { kmsKeyArn: 'arn:aws:kms:${Token[AWS.Region.4]}:111122223333:key/k' }],
    ['logsKmsKeyArn', { logsKmsKeyArn: '${Token[TOKEN.1]}' }],
    ['readerCacheSec', { readerCacheSec: -1.8881545897087524e289 }],
    ['restoreApi.domain.hostedZoneId', { restoreApi: { domain: { ...DOMAIN, hostedZoneId: 'DUMMY' } } }],
    [
      'vpc.subnetIds[0]',
      { vpc: { vpcId: 'vpc-0a', subnetIds: ['#{Token[TOKEN.1]}'], securityGroupIds: ['sg-0a'] } },
    ],
  ])('has no late %s', (place, deployment) => {
    const lines = faultsIn(() => parseConfiguration(written(deployment), 'file'));

    expect(lines).toEqual([expect.stringContaining(`deployments[0].${place}: found `)]);
  });
});
