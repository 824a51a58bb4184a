import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { synthesisWith } from '../support/lib/synthesis';

const synthesis = synthesisWith();
const functions = synthesis.resources('AWS::Lambda::Function');
const functionOf = (name: string) =>
  functions.find(({ Properties }) => Properties.Description === `${name} of staging global`)!;
const toQueue = { 'Fn::GetAtt': [synthesis.only('AWS::SQS::Queue').logicalId, 'Arn'] };

const LOG = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const READ = ['kms:Decrypt', 'secretsmanager:GetSecretValue'];
const WRITE = ['kms:GenerateDataKey', 'secretsmanager:PutSecretValue'];
const TOKENS = [...LOG, ...READ, ...WRITE, 'secretsmanager:DescribeSecret', 'sqs:SendMessage'];

const FUNCTIONS: [name: string, timeoutSec: number, actions: string[]][] = [
  ['token-refresh', 30, TOKENS],
  [
    'token-sweep',
    240,
    [...TOKENS, 'secretsmanager:ListSecretVersionIds', 'secretsmanager:UpdateSecretVersionStage'],
  ],
  [
    'rotate-credentials',
    60,
    [
      ...[...LOG, ...READ, ...WRITE],
      ...['secretsmanager:DescribeSecret', 'secretsmanager:UpdateSecretVersionStage'],
      ...['secretsmanager:TagResource', 'sqs:SendMessage'],
    ],
  ],
  [
    'credential-watch',
    300,
    [
      ...[...LOG, ...READ, 'sqs:SendMessage', 'lambda:InvokeFunction'],
      ...['secretsmanager:DescribeSecret', 'secretsmanager:ListSecretVersionIds'],
      'secretsmanager:BatchGetSecretValue',
    ],
  ],
  ['restore', 28, [...LOG, ...READ, 'lambda:InvokeFunction']],
  ['authorizer', 10, [...LOG, ...READ, 'secretsmanager:DescribeSecret']],
];

describe('the functions of a deployment', () => {
  it('run on nodejs24.x, and a parameter publishes each', () => {
    expect(functions).toHaveLength(FUNCTIONS.length);
    for (const [name] of FUNCTIONS) {
      const { logicalId, Properties } = functionOf(name);
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Handler: 'handler.handler' });
      expect(synthesis.properties('AWS::SSM::Parameter')).toContainEqual({
        Name: `/latchkey/staging/global/${name}-arn`,
        Type: 'String',
        Value: { 'Fn::GetAtt': [logicalId, 'Arn'] },
      });
    }
  });

  it.each(FUNCTIONS)('%s has a timeout of %d s, and only its permissions', (...row) => {
    const [name, timeoutSec, actions] = row;
    const { Properties } = functionOf(name);
    const { Role } = Properties as { Role: { 'Fn::GetAtt': [string, 'Arn'] } };

    const allowed = synthesis
      .properties('AWS::IAM::Policy')
      .filter(({ Roles }) => JSON.stringify(Roles).includes(`"${Role['Fn::GetAtt'][0]}"`))
      .flatMap(({ PolicyDocument }) => (PolicyDocument as { Statement: PolicyStatement[] }).Statement)
      .flatMap(({ Action }) => Action);

    expect(Properties.Timeout).toBe(timeoutSec);
    expect([...new Set(allowed)].sort()).toEqual([...actions].sort());
  });
});

describe('a failed invocation', () => {
  it.each([
    ['token-refresh', 0, 300],
    ['token-sweep', 0, 300],
    ['credential-watch', 2, 3600],
    ['rotate-credentials', 2, 21_600],
  ])('of %s is retried %d times within %d s, then goes to the dead-letter queue', (name, retries, ageSec) => {
    expect(synthesis.properties('AWS::Lambda::EventInvokeConfig')).toContainEqual({
      FunctionName: { Ref: functionOf(name).logicalId },
      Qualifier: '$LATEST',
      MaximumRetryAttempts: retries,
      MaximumEventAgeInSeconds: ageSec,
      DestinationConfig: { OnFailure: { Destination: toQueue } },
    });
  });

  it('stays in the queue for two weeks', () => {
    expect(synthesis.only('AWS::SQS::Queue').Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });
});

describe('the schedules', () => {
  // A sweep that is one interval late, or a watch run that is an hour late, goes to the dead-letter queue.
  it.each([
    ['token-sweep', 'token-sweep', 'rate(5 minutes)', 'sweep', 300],
    ['credential-watch', 'credential-watch', 'rate(6 hours)', 'watch', 3600],
    ['credential-proof', 'rotate-credentials', 'rate(5 minutes)', 'prove', 300],
  ])('%s starts %s at %s, without a flexible window', (named, name, ScheduleExpression, action, ageSec) => {
    const schedule = synthesis
      .properties('AWS::Scheduler::Schedule')
      .find(({ Name }) => Name === `latchkey-staging-global-${named}`);

    expect(schedule).toMatchObject({
      ScheduleExpression,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: { 'Fn::GetAtt': [functionOf(name).logicalId, 'Arn'] },
        Input: JSON.stringify({ action }),
        RetryPolicy: { MaximumEventAgeInSeconds: ageSec, MaximumRetryAttempts: 2 },
        DeadLetterConfig: { Arn: toQueue },
      },
    });
    expect(schedule!.State).not.toBe('DISABLED');
  });

  it('have roles that only schedules of this account can assume', () => {
    const roles = synthesis
      .properties('AWS::IAM::Role')
      .filter((role) => JSON.stringify(role).includes('scheduler.amazonaws.com'));

    expect(roles).toHaveLength(3);
    for (const { AssumeRolePolicyDocument } of roles) {
      const own = { 'aws:SourceAccount': '222233334444', 'aws:SourceArn': expect.anything() as unknown };
      expect(AssumeRolePolicyDocument).toMatchObject({ Statement: [{ Condition: { StringEquals: own } }] });
    }
  });
});
