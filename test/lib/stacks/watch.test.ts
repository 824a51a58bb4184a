import { type PolicyStatement } from '../../../local/account';
import { configuration } from '../../support/lib/configuration';
import { synthesizeOnce } from '../../support/lib/synthesis';

const STACK = 'latchkey-staging-global';
const synthesis = synthesizeOnce(configuration());
const [watch] = synthesis
  .resourcesOf(STACK, 'AWS::Lambda::Function')
  .filter(({ Properties }) => Properties.Description === 'credential-watch of staging global');
const [queue] = synthesis.resourcesOf(STACK, 'AWS::SQS::Queue');
const toQueue = { 'Fn::GetAtt': [queue!.logicalId, 'Arn'] };

describe('credential-watch', () => {
  it('looks every six hours, and a look that is an hour late is given up into the queue', () => {
    const schedules = synthesis
      .resourcesOf(STACK, 'AWS::Scheduler::Schedule')
      .map(({ Properties }) => Properties);

    expect(schedules).toContainEqual(
      expect.objectContaining({
        ScheduleExpression: 'rate(6 hours)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: expect.objectContaining({
          Arn: { 'Fn::GetAtt': [watch!.logicalId, 'Arn'] },
          Input: '{"action":"watch"}',
          RetryPolicy: { MaximumEventAgeInSeconds: 3600, MaximumRetryAttempts: 2 },
          DeadLetterConfig: { Arn: toQueue },
        }) as unknown,
      }),
    );
  });

  it('is repeated where it fails, and then left in the queue', () => {
    const configs = synthesis
      .resourcesOf(STACK, 'AWS::Lambda::EventInvokeConfig')
      .map(({ Properties }) => Properties);

    expect(configs).toContainEqual(
      expect.objectContaining({
        FunctionName: { Ref: watch!.logicalId },
        MaximumRetryAttempts: 2,
        MaximumEventAgeInSeconds: 3600,
        DestinationConfig: { OnFailure: { Destination: toQueue } },
      }),
    );
  });

  it('takes nothing from the account’s concurrency', () => {
    expect(watch!.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  it('may do nothing but look, write its log and leave its failures', () => {
    const [policy] = synthesis
      .resourcesOf(STACK, 'AWS::IAM::Policy')
      .filter(({ logicalId }) => logicalId.startsWith('WatchCredentialWatchRole'));
    const { Statement } = policy!.Properties.PolicyDocument as { Statement: PolicyStatement[] };

    expect([...new Set(Statement.flatMap(({ Action }) => Action))].sort()).toEqual([
      'kms:Decrypt',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      'secretsmanager:DescribeSecret',
      'secretsmanager:GetSecretValue',
      'secretsmanager:ListSecretVersionIds',
      'sqs:SendMessage',
    ]);
  });

  it('is found by its parameter', () => {
    const parameters = synthesis
      .resourcesOf(STACK, 'AWS::SSM::Parameter')
      .map(({ Properties }) => Properties);

    expect(parameters).toContainEqual(
      expect.objectContaining({
        Name: '/latchkey/staging/global/credential-watch-arn',
        Value: { 'Fn::GetAtt': [watch!.logicalId, 'Arn'] },
      }),
    );
  });
});
