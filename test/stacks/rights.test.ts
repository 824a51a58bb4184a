import { type PolicyStatement } from 'cdk-on-loopback/testing';
import { configuration } from '../support/lib/configuration';
import { synthesizeOnce } from '../support/lib/synthesis';

const synthesis = synthesizeOnce(configuration());

describe('the policies of Latchkey’s roles', () => {
  const statements = () =>
    synthesis
      .resources()
      .filter(({ Type }) => ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy', 'AWS::IAM::Role'].includes(Type))
      .flatMap(({ logicalId, Properties }) => {
        const documents = [
          Properties.PolicyDocument,
          ...((Properties.Policies ?? []) as { PolicyDocument: unknown }[]),
        ];
        return documents
          .filter((document) => document !== undefined)
          .flatMap((document) => (document as { Statement: PolicyStatement[] }).Statement)
          .map((statement) => ({ logicalId, ...statement }));
      });

  /** Whether the statement allows describing what is asked for by a name of the deployment, and nothing else. */
  const isLimitedByName = (action: unknown, condition: unknown): boolean =>
    action === 'secretsmanager:DescribeSecret' &&
    /^\{"StringLike":\{"secretsmanager:SecretId":\[("latchkey\/staging\/global\/\*\/[a-z-]+(\/\*)?",?)+\]\}\}$/.test(
      JSON.stringify(condition),
    );

  it('have no action patterns and no resource *', () => {
    expect(statements().length).toBeGreaterThan(15);
    for (const { logicalId, Effect, Action, Resource, NotAction, NotResource, Condition } of statements()) {
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

  it('on secrets are limited to the deployment’s path', () => {
    const resources = statements()
      .filter(({ Action }) => [Action].flat().some((action) => action!.startsWith('secretsmanager:')))
      .filter(({ Action, Condition }) => !isLimitedByName(Action, Condition))
      .filter(({ Action }) => Action !== 'secretsmanager:BatchGetSecretValue')
      .flatMap(({ Resource }) => [Resource].flat().map((resource) => JSON.stringify(resource)));

    expect(resources.length).toBeGreaterThan(5);
    resources.forEach((resource) =>
      expect(resource).toMatch(/:secret:latchkey\/staging\/global\/\*\/[a-z-]+[a-z/*-]*-\?{6}/),
    );
  });

  it('let token-sweep move no label but AWSPENDING, and credential-watch none', () => {
    const moving = (role: string) =>
      statements()
        .filter(({ logicalId }) => logicalId.startsWith(role))
        .filter(({ Action }) => [Action].flat().includes('secretsmanager:UpdateSecretVersionStage'));

    expect(moving('TokensTokenSweep')).toMatchObject([
      {
        Action: 'secretsmanager:UpdateSecretVersionStage',
        Condition: { StringEquals: { 'secretsmanager:VersionStage': 'AWSPENDING' } },
      },
    ]);
    for (const role of ['TokensTokenRefresh', 'Watch']) expect(moving(role)).toEqual([]);
  });

  it('let rotate-credentials alone tag a secret, an API key, and only with what it found out', () => {
    const tagging = statements().filter(({ Action }) =>
      [Action].flat().some((action) => /:(Untag|Tag)Resource$/.test(action!)),
    );

    expect(tagging).toMatchObject([
      {
        logicalId: expect.stringMatching(/^RotationRotateCredentials/) as string,
        Action: 'secretsmanager:TagResource',
        Condition: {
          'ForAllValues:StringEquals': { 'aws:TagKeys': ['latchkey:proven', 'latchkey:refused'] },
        },
      },
    ]);
    expect(JSON.stringify(tagging[0]!.Resource)).toMatch(/secret:latchkey\/staging\/global\/\*\/api-key-/);
  });

  it('on keys are limited to Secrets Manager and the deployment’s secrets', () => {
    const onKeys = statements().filter(({ Action }) =>
      [Action].flat().some((action) => action!.startsWith('kms:')),
    );

    expect(onKeys.length).toBeGreaterThan(4);
    for (const { Condition, Resource } of onKeys) {
      expect(Resource).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^Key/), 'Arn'] });
      expect(Object.keys(Condition ?? {})).toEqual(['StringEquals', 'StringLike']);
      expect(JSON.stringify(Condition!.StringEquals)).toMatch(
        /^\{"kms:ViaService":.*secretsmanager\.eu-west-1\./,
      );
      expect(JSON.stringify(Condition!.StringLike)).toMatch(
        /^\{"kms:EncryptionContext:SecretARN":\[.*:secret:latchkey\/staging\/global\/\*\//,
      );
    }
  });

  it('trust only AWS services', () => {
    for (const { Properties } of synthesis.resources('AWS::IAM::Role')) {
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
