import { configuration } from '../../support/lib/configuration';
import { synthesizeOnce } from '../../support/lib/synthesis';

const STACK = 'latchkey-staging-global';
const synthesis = synthesizeOnce(configuration());
const [queue] = synthesis.resourcesOf(STACK, 'AWS::SQS::Queue');
const functionOf = (description: string) =>
  synthesis
    .resourcesOf(STACK, 'AWS::Lambda::Function')
    .find(({ Properties }) => Properties.Description === `${description} of staging global`)!;
const toQueue = { 'Fn::GetAtt': [queue!.logicalId, 'Arn'] };

describe('the schedule of sweeps', () => {
  const [schedule, ...others] = synthesis
    .resourcesOf(STACK, 'AWS::Scheduler::Schedule')
    .filter(({ logicalId }) => logicalId.startsWith('Tokens'));

  it('starts token-sweep every five minutes on the minute', () => {
    expect(others).toEqual([]);
    expect(schedule!.Properties).toMatchObject({
      ScheduleExpression: 'rate(5 minutes)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: { 'Fn::GetAtt': [functionOf('token-sweep').logicalId, 'Arn'] },
        Input: '{"action":"sweep"}',
      },
    });
    expect(schedule!.Properties.State).not.toBe('DISABLED');
  });

  it('gives up a start that is as late as the next one, and leaves it in the queue', () => {
    expect(schedule!.Properties.Target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 2 },
      DeadLetterConfig: { Arn: toQueue },
    });
  });
});

describe('the roles of schedules', () => {
  it('can be used by this account’s schedules only', () => {
    const roles = synthesis
      .resourcesOf(STACK, 'AWS::IAM::Role')
      .filter(({ Properties }) => JSON.stringify(Properties).includes('scheduler.amazonaws.com'));

    expect(roles).toHaveLength(2);
    for (const { Properties } of roles) {
      expect(Properties.AssumeRolePolicyDocument).toMatchObject({
        Statement: [
          {
            Condition: {
              StringEquals: {
                'aws:SourceAccount': '222233334444',
                'aws:SourceArn': expect.anything() as unknown,
              },
            },
          },
        ],
      });
    }
  });
});

describe.each(['token-refresh', 'token-sweep'])('%s, invoked asynchronously', (name) => {
  it('is never repeated, never late, and leaves its failures in the queue', () => {
    const config = synthesis
      .resourcesOf(STACK, 'AWS::Lambda::EventInvokeConfig')
      .find(
        ({ Properties }) =>
          JSON.stringify(Properties.FunctionName) === JSON.stringify({ Ref: functionOf(name).logicalId }),
      );

    expect(config?.Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 300,
      DestinationConfig: { OnFailure: { Destination: toQueue } },
    });
  });
});

describe('a sweep', () => {
  it('ends before the next one begins', () => {
    expect(functionOf('token-sweep').Properties.Timeout).toBeLessThan(300);
  });

  it('stays in the queue for two weeks', () => {
    expect(queue!.Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });
});

describe('every function', () => {
  it('runs nodejs24.x, from the folder’s handler.js', () => {
    for (const { Properties } of synthesis.resourcesOf(STACK, 'AWS::Lambda::Function')) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Handler: 'handler.handler' });
    }
  });
});
