import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { SandboxStack, type SandboxStackProps } from '../../lib/stacks/sandbox-stack';
import { parseSeed } from 'learning-platform-sandbox/testing';
import { Synthesis, temporaryApp } from '../support/lib/synthesis';

const STACK = 'sandbox';

function synthesized(props?: SandboxStackProps): Synthesis {
  const app = temporaryApp();
  new SandboxStack(app, STACK, props);
  return new Synthesis(app);
}

describe('the stack of the sandbox', () => {
  const synthesis = synthesized();

  it('leaves nothing behind', () => {
    const kept = synthesis
      .resources()
      .filter(({ DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }) =>
        [DeletionPolicy, UpdateReplacePolicy].some((policy) => policy !== 'Delete'),
      );

    expect(kept).toEqual([]);
    expect(synthesis.properties('AWS::Logs::LogGroup')).toEqual([
      expect.objectContaining({ RetentionInDays: 1 }),
    ]);
    expect(synthesis.only('AWS::Lambda::Function').Properties.LoggingConfig).toEqual({
      LogGroup: { Ref: synthesis.only('AWS::Logs::LogGroup').logicalId },
    });
  });

  it('leaves API Gateway’s logging role alone, and needs none', () => {
    expect(synthesis.resources('AWS::ApiGateway::Account')).toEqual([]);
    const { Properties } = synthesis.only('AWS::ApiGateway::Stage');
    expect(Properties).not.toHaveProperty('AccessLogSetting');
    expect(Properties).not.toHaveProperty('MethodSettings');
  });

  it('may read and write its item, read its secret, write its log, and nothing else', () => {
    const at = (type: string) => synthesis.only(type).logicalId;
    const arnOf = (type: string) => ({ 'Fn::GetAtt': [at(type), 'Arn'] });

    expect(synthesis.only('AWS::IAM::Role').Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(
      synthesis.statements().map(({ Effect, Action, Resource }) => [Effect, Action, Resource] as const),
    ).toEqual([
      ['Allow', ['logs:CreateLogStream', 'logs:PutLogEvents'], arnOf('AWS::Logs::LogGroup')],
      ['Allow', ['dynamodb:GetItem', 'dynamodb:PutItem'], arnOf('AWS::DynamoDB::Table')],
      ['Allow', 'secretsmanager:GetSecretValue', { Ref: at('AWS::SecretsManager::Secret') }],
    ]);
  });

  it('takes every path and method from anyone: the platform and control authenticate', () => {
    expect(synthesis.only('AWS::ApiGateway::Resource').Properties.PathPart).toBe('{proxy+}');
    for (const method of synthesis.properties('AWS::ApiGateway::Method'))
      expect(method).toMatchObject({ HttpMethod: 'ANY', AuthorizationType: 'NONE' });
    const permissions = JSON.stringify(synthesis.properties('AWS::Lambda::Permission'));
    expect(permissions).toContain('apigateway.amazonaws.com');
    expect(permissions).not.toContain('test-invoke-stage');
    expect(synthesis.only('AWS::ApiGateway::RestApi').Properties.EndpointConfiguration).toEqual({
      Types: ['REGIONAL'],
    });
  });

  it('names its address and the secret of its control, whose value only Secrets Manager knows', () => {
    const { Outputs } = synthesis.template(STACK);

    expect(Object.keys(Outputs!)).toEqual(expect.arrayContaining(['SandboxUrl', 'ControlSecretName']));
    expect(synthesis.only('AWS::SecretsManager::Secret').Properties).toMatchObject({
      GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 },
    });
    const { Variables } = synthesis.only('AWS::Lambda::Function').Properties.Environment as {
      Variables: object;
    };
    expect(Object.keys(Variables)).toEqual(['STATE_TABLE', 'CONTROL_SECRET_ARN']);
  });

  it('has a seed beside its code: its own, or two tenants of one deployment', () => {
    const seedOf = (from: Synthesis) => {
      const [folder] = from.codeFolders();
      expect(readdirSync(folder!).sort()).toEqual(['handler.js', 'seed.json']);
      return parseSeed(JSON.parse(readFileSync(join(folder!, 'seed.json'), 'utf8')));
    };
    const own = {
      deployments: [{ environment: 'production', platformRegion: 'mea', tenants: [{ tenantId: 'one' }] }],
    };

    expect(seedOf(synthesis).deployments.map(({ tenants }) => tenants.length)).toEqual([2]);
    expect(seedOf(synthesized({ seed: own })).deployments).toEqual(own.deployments);
  });
});
