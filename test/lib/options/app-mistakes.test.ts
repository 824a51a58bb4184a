import { Aws, Fn, type Stack, Token } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as events from 'aws-cdk-lib/aws-events';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';

import { AlarmTopic, Latchkey, type LatchkeyProps, TokenRefresher } from '../../../lib';
import { parseConfiguration } from '../../../lib/options/load';
import {
  ACCOUNT_ID,
  addressesOf,
  REGION,
  tenant,
  type WrittenDeployment,
  written,
} from '../../support/lib/configuration';
import { DOMAIN } from '../../support/lib/edge';
import { faultsIn } from '../../support/lib/faults';
import { latchkeyIn, learningStack, OPTIONS } from '../../support/lib/learning';
import { Synthesis, temporaryApp } from '../../support/lib/synthesis';

const ARN = (service: string, resource: string, region: string = REGION) =>
  `arn:aws:${service}:${region}:${ACCOUNT_ID}:${resource}`;
const API_KEY = ARN('secretsmanager', 'secret:key-AbCdEf');
const ROLE = `arn:aws:iam::${ACCOUNT_ID}:role/break-glass`;
const FAR_ROLE = 'arn:aws:iam::999988887777:role/break-glass';
const [KEY, FAR_KEY] = [ARN('kms', 'key/k'), ARN('kms', 'key/k', 'us-east-1')];
const FAR_TOPIC = ARN('sns', 't', 'us-east-1');
const TENANT = tenant('tenant-a');
const WEBHOOKS = tenant('tenant-a', [{ interface: 'webhooks', scope: 'api/webhooks' }]);
const ADDRESSES = addressesOf('staging-global');
const withAddresses = (addresses: object) => ({ endpoints: { ...ADDRESSES, ...addresses } });
const LATE = 'found a value that only the deployment knows; allowed: one that is known at synthesis';
const listOf = (text: string) => Fn.split(',', Fn.importValue(text));

const faultsOf = (stack: Stack, options: object) => faultsIn(() => latchkeyIn(stack, options));

/** How the one line of an error begins, and the options of an app that cause it. */
const MISTAKES: Record<string, object | ((stack: Stack) => object)> = {
  // Each way from a rule of the configuration file: its option, an address, its stack's account and region.
  'tenant: found a field of this name; allowed: tenants, or else ': { tenant: [] },
  'endpoints.webhookBaseUrl: found a field of this name; allowed: webhooksBaseUrl, ': withAddresses({
    webhookBaseUrl: 'https://x.example',
  }),
  'prefix: found "Team"; allowed: 1–29 lower-case letters, digits and -': { prefix: 'Team' },
  'endpoints.contentBaseUrl: found "http://x.example (scheme http)"; allowed: an https URL': withAddresses({
    contentBaseUrl: 'http://x.example',
  }),
  'endpoints.contentTokenBaseUrl: found "https://x.example/oauth2/token"; allowed: the address before /oauth2/token':
    withAddresses({ contentTokenBaseUrl: 'https://x.example/oauth2/token' }),
  [`endpoints.webhooksBaseUrl: found "${ADDRESSES.contentBaseUrl}"; allowed: an address that differs from endpoints.`]:
    withAddresses({ webhooksBaseUrl: ADDRESSES.contentBaseUrl }),
  'tenants[0].tokens[0]: found "webhooks api/webhooks"; allowed: webhooks tokens only with endpoints.webhooksTokenBaseUrl':
    { ...withAddresses({ webhooksTokenBaseUrl: undefined }), tenants: [WEBHOOKS] },
  'tenants[1].tenantId: found "tenant-a"; allowed: each tenant only once per deployment': {
    tenants: [TENANT, TENANT],
  },
  [`tenants[0].adopt.apiKey: found "${API_KEY}"; allowed: nothing with apiKey false`]: {
    tenants: [{ ...TENANT, apiKey: false, adopt: { apiKey: API_KEY } }],
  },
  [`tenants[0].adopt.apiKey: found "${API_KEY}"; allowed: a secret of its own; tenants[0].adopt.`]: {
    tenants: [{ ...TENANT, adopt: { clientCredentials: API_KEY, apiKey: API_KEY } }],
  },
  [`kmsKeyArn: found "${FAR_KEY}"; allowed: a key in eu-west-1`]: { kmsKeyArn: FAR_KEY },
  [`secretReaders.breakGlassRoleArn: found "${FAR_ROLE}"; allowed: a principal of 222233334444`]: {
    secretReaders: { breakGlassRoleArn: FAR_ROLE },
  },
  // What only the deployment knows.
  'secretReaders.credentials[0]: found "#{Token[': {
    secretReaders: { breakGlassRoleArn: ROLE, credentials: listOf('roles') },
  },
  'formerKmsKeyArns[0]: found "#{Token[': { formerKmsKeyArns: listOf('keys') },
  [`certificateAuthorities.file: ${LATE}`]: { certificateAuthorities: { file: Fn.importValue('file') } },
  [`readerCacheSec: ${LATE}`]: { readerCacheSec: Token.asNumber({ Ref: 'Cache' }) },
  // An alias, whose name alone is late, and a key of another region.
  'kmsKeyArn: found "arn:aws:kms:${Token[': {
    kmsKeyArn: `arn:aws:kms:${Aws.REGION}:${ACCOUNT_ID}:alias/${Fn.importValue('name')}`,
  },
  'kmsKeyArn: found "arn:${Token[': {
    kmsKeyArn: `arn:${Fn.join('::', [Aws.PARTITION])}:kms:us-east-1:${Aws.ACCOUNT_ID}:key/k`,
  },
  'kmsKeyArn: found "': { kmsKeyArn: '\0' },
  // Values that JSON does not have.
  'prefix: found a function; allowed: ': { prefix: () => 'x' },
  'readerCacheSec: found NaN; allowed: whole seconds': { readerCacheSec: NaN },
  // One fault, one line.
  'readerCacheSec: found -1e+300; allowed: whole seconds from 0': { readerCacheSec: -1e300 },
  'alarms.emails: found "a@b.example"; allowed: a list of e-mail addresses': {
    alarms: { emails: 'a@b.example' },
  },
  'events: found null; allowed: nothing together with resources.eventBus': (stack) => ({
    events: null,
    resources: { eventBus: new events.EventBus(stack, 'Bus') },
  }),
  'alarms: found null; allowed: a value of type object': (stack) => ({
    alarms: null,
    resources: { alarmTopic: new sns.Topic(stack, 'Topic') },
  }),
  'alarms: found "x"; allowed: a value of type object': (stack) => ({
    alarms: 'x',
    resources: { alarmTopic: new sns.Topic(stack, 'Topic') },
  }),
  // Resources.
  'resources: found null; allowed: an object with enc': { resources: null },
  'resources.toString: found a field of this name; allowed: encryptionKey, ': { resources: { toString: {} } },
  'resources.__proto__: found a field of this name; allowed: encryptionKey, ': {
    resources: { ['__proto__']: {} },
  },
  'resources.encryptionKey: found "arn:key"; allowed: a kms.IKey': {
    resources: { encryptionKey: 'arn:key' },
  },
  'resources.vpc: found an object; allowed: an ec2.IVpc': { resources: { vpc: { vpcId: 'vpc-0a' } } },
  'resources.securityGroups: found a list; allowed: nothing without resources.vpc': (stack) => ({
    resources: { securityGroups: [ec2.SecurityGroup.fromSecurityGroupId(stack, 'Group', 'sg-0a')] },
  }),
  'resources.securityGroups[0]: found "sg-0a"; allowed: an ec2.ISecurityGroup': (stack) => ({
    resources: { vpc: new ec2.Vpc(stack, 'Vpc'), securityGroups: ['sg-0a'] },
  }),
  [`kmsKeyArn: found "${KEY}"; allowed: nothing together with resources.encryptionKey`]: (stack) => ({
    kmsKeyArn: KEY,
    resources: { encryptionKey: new kms.Key(stack, 'Key') },
  }),
  // An alias.
  'resources.encryptionKey.keyArn: found "arn:${Token[': (stack) => ({
    resources: { encryptionKey: kms.Alias.fromAliasName(stack, 'Alias', 'alias/team') },
  }),
  [`formerKmsKeyArns[0]: found "${KEY}"; allowed: another key than resources.encryptionKey`]: (stack) => ({
    formerKmsKeyArns: [KEY],
    resources: { encryptionKey: kms.Key.fromKeyArn(stack, 'K', KEY) },
  }),
  'resources.alarmTopic: found an object; allowed: an sns.ITopic': (stack) => ({
    resources: {
      alarmTopic: new sns.CfnSubscription(stack, 'S', { topicArn: ARN('sns', 't'), protocol: 'sms' }),
    },
  }),
  [`resources.alarmTopic: found "${FAR_TOPIC}"; allowed: a topic in eu-west-1`]: (stack) => ({
    resources: { alarmTopic: sns.Topic.fromTopicArn(stack, 'T', FAR_TOPIC) },
  }),
  'alarms.emails: found a list; allowed: nothing together with resources.alarmTopic': (stack) => ({
    alarms: { emails: ['a@b.example'] },
    resources: { alarmTopic: new sns.Topic(stack, 'Topic') },
  }),
};

it.each(Object.entries(MISTAKES))('says what is wrong: %s', (begin, mistake) => {
  const stack = learningStack();

  const lines = faultsOf(stack, typeof mistake === 'function' ? (mistake(stack) as object) : mistake);

  expect(lines.map((line) => line.slice(0, begin.length))).toEqual([begin]);
});

it('says all that is wrong, a line each', () => {
  const options = {
    resources: { alarmTopic: 'arn:topic', encryptionKey: 'arn:key' },
    alarms: { emails: 'a@b.example' },
    restoreApi: null,
  };

  expect(faultsOf(learningStack(), options).map((line) => line.replace(/;.*/, ''))).toEqual([
    'resources.encryptionKey: found "arn:key"',
    'resources.alarmTopic: found "arn:topic"',
    'restoreApi: found null',
    'alarms.emails: found "a@b.example"',
  ]);
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
