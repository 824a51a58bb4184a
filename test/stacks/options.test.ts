import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfiguration, parseConfiguration } from '../../lib/options/load';
import { EVERY_OPTION, written } from '../support/lib/configuration';
import { type Synthesis, synthesisWith, synthesizeOnce } from '../support/lib/synthesis';

/** Texts in templates and names of files, which options add. */
const ADDED = [
  ...['VpcConfig', 'ec2:', 'xray', 'Tracing', 'Layers', 'OTEL_', 'EXEC_WRAPPER', 'CodeSigning', 'bundles'],
  ...['EVENT_BUS_ARN', 'event-bus-arn', 'events:PutEvents', 'AWS::Events::Rule', 'EventSourceMapping'],
  ...['ReplicaRegions', 'secretsmanager.*', 'AWS::CloudWatch::Dashboard', 'DashboardUrl'],
];

it('without options, a deployment has nothing of what they add', () => {
  const addedTo = ({ assembly: { directory, stacks } }: Synthesis) => {
    const files = readdirSync(directory);
    const found = JSON.stringify([files, ...stacks.map(({ template }) => template as object)]);
    return ADDED.filter((text) => found.includes(text));
  };

  expect(addedTo(synthesisWith())).toEqual([]);
  expect(addedTo(synthesisWith(EVERY_OPTION))).toEqual(ADDED);
});

it('prefix replaces the default in names, policies and deployment files', () => {
  const value = { ...written(), prefix: 'acme' };
  const synthesis = synthesizeOnce(parseConfiguration(value, 'test configuration'));
  const text = JSON.stringify(synthesis.resources().map(({ Properties }) => Properties));

  synthesis.stackNames().forEach((name) => expect(name).toMatch(/^acme-/));
  // Not the address of a page.
  expect(text).not.toMatch(/latchkey\/(?!blob\/)/);
  expect(synthesis.deploymentFiles().map(({ prefix }) => prefix)).toEqual(
    synthesis.codeFolders().map(() => 'acme'),
  );
});

it('local is synthesized for a fictitious account, regardless of credentials', () => {
  process.env.CDK_DEFAULT_ACCOUNT = '777788889999';
  process.env.CDK_DEFAULT_REGION = 'us-east-1';

  const { assembly } = synthesizeOnce(loadConfiguration(join(__dirname, '../../config/local.json')));

  delete process.env.CDK_DEFAULT_ACCOUNT;
  delete process.env.CDK_DEFAULT_REGION;
  expect([...new Set(assembly.stacks.map(({ environment }) => environment.name))]).toEqual([
    'aws://111111111111/eu-west-1',
  ]);
});

// With less than 10 for rotate-credentials, Secrets Manager may be throttled: it rotates many secrets at a time, and repeats what
// fails. See https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html (the warning).
it.each([
  [{}, []],
  [{ reservedConcurrency: 'none' }, []],
  [
    { reservedConcurrency: 1 },
    [
      ['token-refresh of staging global', 1],
      ['token-sweep of staging global', 1],
    ],
  ],
] as const)('%j reserves concurrency for token functions alone, by default for none', (option, reserved) => {
  const found = synthesisWith(option)
    .properties('AWS::Lambda::Function')
    .filter((properties) => 'ReservedConcurrentExecutions' in properties);

  expect(
    found.map(({ Description, ReservedConcurrentExecutions }) => [Description, ReservedConcurrentExecutions]),
  ).toEqual(reserved);
});

describe('kmsKeyArn', () => {
  const arn = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f0f0f-1111-2222-3333-444444444444';
  const synthesis = synthesisWith({ kmsKeyArn: arn });

  it('replaces the deployment’s key for secrets and readers', () => {
    // The alarm topic gets its own key, because we cannot add CloudWatch to this key’s policy.
    expect(synthesis.properties('AWS::KMS::Key').map(({ Description }) => Description)).toEqual([
      'Latchkey alarms of staging global',
    ]);
    synthesis.properties('AWS::SecretsManager::Secret').forEach(({ KmsKeyId }) => expect(KmsKeyId).toBe(arn));
    expect(synthesis.parameters()['key-arn']).toBe(arn);
  });
});

describe('vpc', () => {
  const synthesis = synthesisWith({
    vpc: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a', 'subnet-0b'], securityGroupIds: ['sg-0a'] },
  });

  it('runs every function in the given subnets and security groups, and changes none', () => {
    for (const { VpcConfig } of synthesis.properties('AWS::Lambda::Function'))
      expect(VpcConfig).toEqual({ SubnetIds: ['subnet-0a', 'subnet-0b'], SecurityGroupIds: ['sg-0a'] });
    expect(synthesis.resources().filter(({ Type }) => Type.startsWith('AWS::EC2::'))).toEqual([]);
  });
});

describe('alarms.topicArn', () => {
  const arn = 'arn:aws:sns:eu-west-1:222233334444:pager';
  const synthesis = synthesisWith({ alarms: { topicArn: arn } });

  it('receives all notifications, is published, and no topic is created', () => {
    const alarms = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
      .flatMap((type) => synthesis.properties(type))
      .filter((alarm) => 'AlarmActions' in alarm);

    expect(alarms.length).toBeGreaterThan(2);
    for (const { AlarmActions, OKActions } of alarms)
      expect([AlarmActions, OKActions]).toEqual([[arn], [arn]]);
    expect(synthesis.resources('AWS::SNS::Topic')).toEqual([]);
    expect(synthesis.parameters()['alarm-topic-arn']).toBe(arn);
  });
});
