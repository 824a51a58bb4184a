import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { configuration } from '../../../support/lib/configuration';
import { synthesizeOnce } from '../../../support/lib/synthesis';

const ROOT = join(__dirname, '../../../..');
const STACK = 'latchkey-staging-global';
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
  const synthesis = synthesizeOnce(configuration({ alarms: { emails: ['a@example.com', 'b@example.com'] } }));

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
    const foreign = synthesizeOnce(configuration({ kmsKeyArn: KEY_ARN }));
    const key = foreign.only('AWS::KMS::Key');

    expect(foreign.only('AWS::SNS::Topic').Properties.KmsMasterKeyId).toEqual({
      'Fn::GetAtt': [key.logicalId, 'Arn'],
    });
    expect(statements(key.Properties.KeyPolicy)).toContainEqual(expect.objectContaining(OF_OUR_ALARMS));
    expect(key.Properties.EnableKeyRotation).toBe(true);
  });

  it('has a subscription for every configured e-mail address', () => {
    const subscriptions = synthesis.resourcesOf(STACK, 'AWS::SNS::Subscription');

    expect(subscriptions.map(({ Properties }) => [Properties.Protocol, Properties.Endpoint])).toEqual([
      ['email', 'a@example.com'],
      ['email', 'b@example.com'],
    ]);
  });

  it('sends e-mails about faults and their end, and not about the first OK of a new alarm', () => {
    const filter = { $or: [{ NewStateValue: ['ALARM'] }, { OldStateValue: ['ALARM'] }] };
    const page = readFileSync(join(ROOT, 'docs/alarms.md'), 'utf8');

    expect(synthesis.resourcesOf(STACK, 'AWS::SNS::Subscription')).toMatchObject(
      ['a', 'b'].map((name) => ({
        Properties: {
          Endpoint: `${name}@example.com`,
          FilterPolicy: filter,
          FilterPolicyScope: 'MessageBody',
        },
      })),
    );
    expect(JSON.parse(/^\{ "\$or".*$/m.exec(page)![0])).toEqual(filter);
  });

  it('has no subscriptions by default', () => {
    expect(synthesizeOnce(configuration()).resources('AWS::SNS::Subscription')).toEqual([]);
  });
});
