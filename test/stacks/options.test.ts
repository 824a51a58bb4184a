import { join } from 'node:path';

import { loadConfiguration, parseConfiguration } from '../../lib/options/load';
import { LocalQueueSender } from 'cdk-on-loopback/testing';
import { provisionSynthesis } from '../support/lib/provisioned';
import { configuration, type WrittenDeployment, written } from '../support/lib/configuration';
import { type Synthesis, synthesizeOnce } from '../support/lib/synthesis';

const withOption = (deployment: Partial<WrittenDeployment>): Synthesis =>
  synthesizeOnce(configuration(deployment));

describe('prefix', () => {
  const synthesis = synthesizeOnce(
    parseConfiguration({ ...written(), prefix: 'acme' }, 'test configuration'),
  );

  it('starts the names of stacks, secrets and parameters', () => {
    synthesis.stackNames().forEach((name) => expect(name).toMatch(/^acme-/));
    synthesis
      .properties('AWS::SecretsManager::Secret')
      .forEach(({ Name }) => expect(Name).toMatch(/^acme\/staging\/global\//));
    synthesis
      .properties('AWS::SSM::Parameter')
      .forEach(({ Name }) => expect(Name).toMatch(/^\/acme\/staging\/global\//));
  });

  it('replaces the default in policies and deployment files as well', () => {
    const text = JSON.stringify(synthesis.resources().map(({ Properties }) => Properties));

    // Not the address of a page.
    expect(text).not.toMatch(/latchkey\/(?!blob\/)/);
    expect(synthesis.deploymentFiles().map(({ prefix }) => prefix)).toEqual(
      synthesis.codeFolders().map(() => 'acme'),
    );
  });
});

describe('account and region', () => {
  const places = (synthesis: Synthesis) => [
    ...new Set(synthesis.assembly.stacks.map(({ environment }) => environment.name)),
  ];

  it('apply to all stacks of the deployment', () => {
    expect(places(withOption({ account: '444455556666', region: 'me-south-1' }))).toEqual([
      'aws://444455556666/me-south-1',
    ]);
  });

  it('are not required for synthesis', () => {
    expect(places(withOption({ account: undefined, region: undefined }))).toEqual([
      'aws://unknown-account/unknown-region',
    ]);
  });
});

describe('local', () => {
  it('is synthesized for a fictitious account, regardless of credentials', () => {
    process.env.CDK_DEFAULT_ACCOUNT = '777788889999';
    process.env.CDK_DEFAULT_REGION = 'us-east-1';

    const { assembly } = synthesizeOnce(loadConfiguration(join(__dirname, '../../config/local.json')));

    delete process.env.CDK_DEFAULT_ACCOUNT;
    delete process.env.CDK_DEFAULT_REGION;
    expect([...new Set(assembly.stacks.map(({ environment }) => environment.name))]).toEqual([
      'aws://111111111111/eu-west-1',
    ]);
  });
});

describe('reservedConcurrency', () => {
  const reservedWith = (option: Partial<WrittenDeployment>) =>
    withOption(option)
      .properties('AWS::Lambda::Function')
      .filter((properties) => 'ReservedConcurrentExecutions' in properties)
      .map(({ Description, ReservedConcurrentExecutions }) => [Description, ReservedConcurrentExecutions]);

  it.each([{}, { reservedConcurrency: 'none' }] as const)(
    'reserves nothing with %j, so that an account with a small quota takes the deployment',
    (option) => expect(reservedWith(option)).toEqual([]),
  );

  it('reserves one for each token function with 1', () => {
    expect(reservedWith({ reservedConcurrency: 1 })).toEqual([
      ['token-refresh of staging global', 1],
      ['token-sweep of staging global', 1],
    ]);
  });
});

describe('kmsKeyArn', () => {
  const arn = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f0f0f-1111-2222-3333-444444444444';
  const synthesis = withOption({ kmsKeyArn: arn });

  it('replaces the deployment’s key for secrets, policies and readers', () => {
    // The alarm topic gets its own key, because we cannot add CloudWatch to this key’s policy.
    expect(synthesis.properties('AWS::KMS::Key').map(({ Description }) => Description)).toEqual([
      'Latchkey alarms of staging global',
    ]);
    synthesis.properties('AWS::SecretsManager::Secret').forEach(({ KmsKeyId }) => expect(KmsKeyId).toBe(arn));
    expect(synthesis.properties('AWS::SSM::Parameter')).toContainEqual(
      expect.objectContaining({ Name: '/latchkey/staging/global/key-arn', Value: arn }),
    );
    const statements = JSON.stringify(synthesis.properties('AWS::IAM::Policy'));
    expect(statements.match(/"kms:Decrypt"/g)!.length).toBeLessThanOrEqual(statements.split(arn).length - 1);
  });
});

describe('logsKmsKeyArn deployment', () => {
  const synthesis = withOption({ logsKmsKeyArn: 'deployment' });
  const key = synthesis.only('AWS::KMS::Key');
  const keyArn = { 'Fn::GetAtt': [key.logicalId, 'Arn'] };
  const logsMayUse = {
    Effect: 'Allow',
    Principal: { Service: 'logs.eu-west-1.amazonaws.com' },
    Action: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
    Resource: '*',
    Condition: {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':logs:eu-west-1:222233334444:log-group:latchkey-staging-global-*',
            ],
          ],
        },
      },
    },
  };

  it('encrypts every log group and the queue with the deployment’s key', () => {
    const groups = synthesis.properties('AWS::Logs::LogGroup');

    expect(groups.length).toBeGreaterThan(5);
    expect(groups.map(({ KmsKeyId }) => KmsKeyId)).toEqual(groups.map(() => keyArn));
    expect(synthesis.only('AWS::SQS::Queue').Properties).toMatchObject({ KmsMasterKeyId: keyArn });
  });

  it('lets CloudWatch Logs use the key for these log groups only', () => {
    const { Statement } = key.Properties.KeyPolicy as { Statement: unknown[] };

    expect(Statement).toContainEqual(logsMayUse);
    expect(JSON.stringify(withOption({}).only('AWS::KMS::Key').Properties)).not.toContain('logs.');
  });

  it.each([
    ['cn-north-1', 'logs.cn-north-1.amazonaws.com.cn'],
    [undefined, { 'Fn::Join': ['', ['logs.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]] }],
  ])('names the service of the region %s', (region, service) => {
    const { Properties } = withOption({ logsKmsKeyArn: 'deployment', region }).only('AWS::KMS::Key');
    const { Statement } = Properties.KeyPolicy as { Statement: { Principal: object }[] };

    expect(Statement.map(({ Principal }) => Principal)).toContainEqual({ Service: service });
  });

  it('lets whatever sends dead letters use the key', () => {
    const { account, roles } = provisionSynthesis(synthesis);
    const [queue] = [...account.queues.values()];
    const sender = new LocalQueueSender(account, { nowMs: () => 0 });
    const senders = roles.filter(({ description }) =>
      /token-refresh|token-sweep|credential-watch/.test(description),
    );

    expect(senders.length).toBeGreaterThan(4);
    for (const { arn } of senders) {
      const { accountId } = account;
      const principal = { kind: 'role-session', accountId, arn, roleArn: arn, sessionName: 'x' } as const;
      sender.send(principal, queue!.arn, '{}');
    }
    expect(queue).toMatchObject({ kmsKeyArn: [...account.keys.keys()][0] });
    expect(queue!.messages).toHaveLength(senders.length);
  });

  it('is off by default', () => {
    expect(withOption({}).properties('AWS::Logs::LogGroup')[0]).not.toHaveProperty('KmsKeyId');
  });
});

describe('vpc', () => {
  const synthesis = withOption({
    vpc: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a', 'subnet-0b'], securityGroupIds: ['sg-0a'] },
  });

  it('runs every function in the given subnets and security groups', () => {
    synthesis
      .properties('AWS::Lambda::Function')
      .forEach(({ VpcConfig }) =>
        expect(VpcConfig).toEqual({ SubnetIds: ['subnet-0a', 'subnet-0b'], SecurityGroupIds: ['sg-0a'] }),
      );
  });

  it('lets every function create network interfaces, and changes no security group', () => {
    const policies = synthesis.properties('AWS::IAM::Policy').map((policy) => JSON.stringify(policy));
    const functions = synthesis.properties('AWS::Lambda::Function');

    expect(policies.filter((policy) => policy.includes('"ec2:CreateNetworkInterface"'))).toHaveLength(
      functions.length,
    );
    expect(synthesis.resources().filter(({ Type }) => Type.startsWith('AWS::EC2::'))).toEqual([]);
  });

  it('is not set by default', () => {
    const text = JSON.stringify(withOption({}).resources());

    expect(text).not.toContain('VpcConfig');
    expect(text).not.toContain('ec2:');
  });
});

describe('logRetentionDays', () => {
  it('applies to every log group', () => {
    const found = withOption({ logRetentionDays: 30 }).properties('AWS::Logs::LogGroup');

    expect(found.map(({ RetentionInDays }) => RetentionInDays)).toEqual(found.map(() => 30));
  });
});

describe('alarms.topicArn', () => {
  const arn = 'arn:aws:sns:eu-west-1:222233334444:pager';
  const synthesis = withOption({ alarms: { topicArn: arn } });

  it.each(['AlarmActions', 'OKActions'])(
    'receives all notifications of %s, and no topic is created',
    (of) => {
      const notified = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
        .flatMap((type) => synthesis.properties(type))
        .flatMap(({ [of]: topics = [] }) => topics as unknown[]);

      expect(notified.length).toBeGreaterThan(2);
      expect([...new Set(notified)]).toEqual([arn]);
      expect(synthesis.resources('AWS::SNS::Topic')).toEqual([]);
    },
  );

  it('is published like a created topic', () => {
    expect(synthesis.properties('AWS::SSM::Parameter')).toContainEqual(
      expect.objectContaining({ Name: '/latchkey/staging/global/alarm-topic-arn', Value: arn }),
    );
  });
});

describe('readerAccounts', () => {
  it('by default limit key and secrets to their account', () => {
    const text = JSON.stringify(withOption({}).resources());

    expect(text.match(/iam::222233334444:root/g)).toHaveLength(1);
  });
});
