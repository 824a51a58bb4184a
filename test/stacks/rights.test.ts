import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { synthesisWith } from '../support/lib/synthesis';

const synthesis = synthesisWith();

describe('the policies of Latchkey’s roles', () => {
  const statements = synthesis.statements();
  const allowing = (action: RegExp) =>
    statements.filter(({ Action }) => [Action].flat().some((each) => action.test(each!)));

  /** Whether the statement allows describing what is asked for by a name of the deployment, and nothing else. */
  const isLimitedByName = (action: unknown, condition: unknown): boolean =>
    action === 'secretsmanager:DescribeSecret' &&
    /^\{"StringLike":\{"secretsmanager:SecretId":\[("latchkey\/staging\/global\/\*\/[a-z-]+(\/\*)?",?)+\]\}\}$/.test(
      JSON.stringify(condition),
    );

  it('have no action patterns and no resource *', () => {
    expect(statements.length).toBeGreaterThan(15);
    for (const { logicalId, Effect, Action, Resource, NotAction, NotResource, Condition } of statements) {
      expect({ logicalId, Effect, NotAction, NotResource }).toEqual({ logicalId, Effect: 'Allow' });
      [Action].flat().forEach((action) => expect(action).toMatch(/^[a-z-]+:[A-Za-z]+$/));
      // With a narrower resource, CloudWatch omits composite alarms.
      if (Action === 'cloudwatch:DescribeAlarms') continue;
      // With a narrower resource, Secrets Manager denies names that do not exist.
      if (isLimitedByName(Action, Condition)) continue;
      // It takes no resource, and each value needs GetSecretValue.
      if (Action === 'secretsmanager:BatchGetSecretValue') continue;
      [Resource].flat().forEach((resource) => expect(resource).not.toBe('*'));
    }
  });

  it('let token-sweep move no label but AWSPENDING, and credential-watch none', () => {
    const moving = (role: string) =>
      allowing(/:UpdateSecretVersionStage$/).filter(({ logicalId }) => logicalId.startsWith(role));

    expect(moving('TokensTokenSweep')).toMatchObject([
      { Condition: { StringEquals: { 'secretsmanager:VersionStage': 'AWSPENDING' } } },
    ]);
    for (const role of ['TokensTokenRefresh', 'Watch']) expect(moving(role)).toEqual([]);
  });

  it('let rotate-credentials alone tag a secret, and only with what it found out', () => {
    expect(allowing(/:(Untag|Tag)Resource$/)).toMatchObject([
      {
        logicalId: expect.stringMatching(/^RotationRotateCredentials/) as string,
        Action: 'secretsmanager:TagResource',
        Condition: {
          'ForAllValues:StringEquals': { 'aws:TagKeys': ['latchkey:proven', 'latchkey:refused'] },
        },
      },
    ]);
  });

  it('trust only AWS services', () => {
    for (const { Properties } of synthesis.resources('AWS::IAM::Role')) {
      expect(Properties).not.toHaveProperty('Policies');
      const { Statement } = Properties.AssumeRolePolicyDocument as { Statement: PolicyStatement[] };
      expect(Statement).toEqual([
        expect.objectContaining({
          Action: 'sts:AssumeRole',
          Principal: {
            Service: expect.stringMatching(/^(lambda|scheduler|apigateway)\.amazonaws\.com$/) as string,
          },
        }),
      ]);
    }
  });
});
