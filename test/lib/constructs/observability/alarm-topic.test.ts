import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Stack } from 'aws-cdk-lib';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as sns from 'aws-cdk-lib/aws-sns';

import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { latchkeyIn, learningStack } from '../../../support/lib/learning';
import { Synthesis, synthesisWith, temporaryApp } from '../../../support/lib/synthesis';

const ROOT = join(__dirname, '../../../..');
const KEY_ARN = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f0f0f-1111-2222-3333-444444444444';

const statements = (document: unknown) => (document as { Statement: PolicyStatement[] }).Statement;
/** The conditions of every statement that allows CloudWatch. */
const OF_OUR_ALARMS = {
  Effect: 'Allow',
  Principal: { Service: 'cloudwatch.amazonaws.com' },
  Condition: {
    StringEquals: { 'aws:SourceAccount': '222233334444' },
    ArnLike: {
      'aws:SourceArn': {
        'Fn::Join': [
          '',
          [
            'arn:',
            { Ref: 'AWS::Partition' },
            ':cloudwatch:eu-west-1:222233334444:alarm:latchkey-staging-global/*',
          ],
        ],
      },
    },
  },
};

describe('the topic of a deployment', () => {
  const synthesis = synthesisWith({ alarms: { emails: ['a@example.com', 'b@example.com'] } });

  it('accepts only messages of the deployment’s and its tenants’ alarms, over TLS', () => {
    const { PolicyDocument } = synthesis.only('AWS::SNS::TopicPolicy').Properties;

    expect(statements(PolicyDocument)).toEqual([
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      expect.objectContaining({ ...OF_OUR_ALARMS, Action: 'sns:Publish' }),
    ]);
  });

  it('is encrypted with the deployment’s key, which allows these alarms no access to secrets', () => {
    const key = synthesis.only('AWS::KMS::Key');
    const { KmsMasterKeyId } = synthesis.only('AWS::SNS::Topic').Properties;

    expect(KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [key.logicalId, 'Arn'] });
    expect(statements(key.Properties.KeyPolicy).slice(1)).toEqual([
      { ...OF_OUR_ALARMS, Action: ['kms:Decrypt', 'kms:GenerateDataKey*'], Resource: '*' },
    ]);
  });

  it('has its own key if the secrets’ key is an existing one', () => {
    const foreign = synthesisWith({ kmsKeyArn: KEY_ARN });
    const key = foreign.only('AWS::KMS::Key');

    expect(foreign.only('AWS::SNS::Topic').Properties.KmsMasterKeyId).toEqual({
      'Fn::GetAtt': [key.logicalId, 'Arn'],
    });
    expect(statements(key.Properties.KeyPolicy)).toContainEqual(expect.objectContaining(OF_OUR_ALARMS));
    expect(key.Properties.EnableKeyRotation).toBe(true);
  });

  it('sends e-mails about faults and their end, and not about the first OK of a new alarm', () => {
    const filter = { $or: [{ NewStateValue: ['ALARM'] }, { OldStateValue: ['ALARM'] }] };
    const page = readFileSync(join(ROOT, 'docs/alarms.md'), 'utf8');

    const subscription = { Protocol: 'email', FilterPolicy: filter, FilterPolicyScope: 'MessageBody' };
    expect(synthesis.properties('AWS::SNS::Subscription')).toMatchObject([
      { ...subscription, Endpoint: 'a@example.com' },
      { ...subscription, Endpoint: 'b@example.com' },
    ]);
    expect(JSON.parse(/^\{ "\$or".*$/m.exec(page)![0])).toEqual(filter);
  });
});

describe('a topic of the app', () => {
  /** Synthesizes an app with a topic of its own. */
  function synthesisWith(make: (stack: Stack) => sns.ITopic): Synthesis {
    const app = temporaryApp();
    const stack = learningStack(app);
    latchkeyIn(stack, { resources: { alarmTopic: make(stack) } });
    return new Synthesis(app);
  }
  const encryptedWith = (keyOf: (stack: Stack) => kms.IKey) => (stack: Stack) =>
    new sns.Topic(stack, 'Own', { masterKey: keyOf(stack) });
  const saidBy = (synthesis: Synthesis) =>
    synthesis.messages().filter((text) => text.startsWith('resources.alarmTopic:'));

  it('whose key is of the app, too, lets the alarms use it', () => {
    const synthesis = synthesisWith(encryptedWith((stack) => new kms.Key(stack, 'TopicKey')));
    const key = synthesis.only('AWS::KMS::Key', 'TopicKey');

    expect(statements(key.Properties.KeyPolicy)).toContainEqual({
      ...OF_OUR_ALARMS,
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Resource: '*',
    });
    expect(saidBy(synthesis)).toEqual([]);
  });

  it.each<[string, (stack: Stack) => sns.ITopic]>([
    ['has an imported key', encryptedWith((stack) => kms.Key.fromKeyArn(stack, 'Imported', KEY_ARN))],
    ['is imported', (stack) => sns.Topic.fromTopicArn(stack, 'Own', 'arn:aws:sns:eu-west-1:222233334444:t')],
  ])('that %s makes the synthesis say what its key must allow', (_, make) => {
    expect(saidBy(synthesisWith(make))).toEqual([
      expect.stringMatching(/key’s policy must have .*"kms:GenerateDataKey\*".*"cloudwatch\.amazonaws\.com"/),
    ]);
  });

  it('with the AWS managed key is refused, because no alarm could publish', () => {
    const managed = encryptedWith((stack) => kms.Alias.fromAliasName(stack, 'Managed', 'alias/aws/sns'));

    expect(() => synthesisWith(managed)).toThrow(
      'resources.alarmTopic: found a topic with the AWS managed key; allowed: a topic with a key of yours',
    );
  });

  it('without encryption needs nothing', () => {
    expect(saidBy(synthesisWith((stack) => new sns.Topic(stack, 'Own')))).toEqual([]);
  });
});
