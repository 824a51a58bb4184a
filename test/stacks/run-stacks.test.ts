import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseConfiguration } from '../../lib/options/load';
import { addRunSandbox, addRunStacks } from '../../lib/stacks/add-run-stacks';
import {
  configurationOf,
  PROVEN_TENANTS,
  PROVEN_TOKENS,
  stackNamesOf,
} from '../../packages/aws-proof/src/configuration';
import { Synthesis, temporaryApp } from '../support/lib/synthesis';

/** As long as prefixes may be. */
const PREFIX = 'prove-0123abcd-0123abcd-01234';
const ACCOUNT = '123456789012';
const STACKS = stackNamesOf(PREFIX);

function written(settings?: object) {
  const location = { accountId: ACCOUNT, region: 'eu-west-1' };
  const host = 'https://abc123.execute-api.eu-west-1.amazonaws.com/v1/staging-global';
  const platform = { contentBaseUrl: `${host}/rest/v1`, contentTokenBaseUrl: `${host}/auth` };
  return parseConfiguration(configurationOf({ prefix: PREFIX, location, platform, settings }), 'the run');
}

function deployed(settings?: object): Synthesis {
  const app = temporaryApp();
  addRunStacks(app, written(settings));
  return new Synthesis(app);
}

let usual: Synthesis;
beforeAll(() => {
  usual = deployed();
});

it('has the stacks of the deployment and its tenants, and that of the run after it', () => {
  const names = usual.stackNames();

  expect(names).toHaveLength(2 + PROVEN_TENANTS.length);
  expect(names.indexOf(STACKS.run)).toBeGreaterThan(names.indexOf(STACKS.deployment));
  expect(names.indexOf(STACKS.deployment)).toBe(0);
  expect(names.every((name) => name.startsWith(`${PREFIX}-`))).toBe(true);
  expect(usual.assembly.stacks.map(({ environment }) => environment.account)).toEqual(
    names.map(() => ACCOUNT),
  );
});

it('depends on no resource of the account that it does not create', () => {
  const types = usual.resources().map(({ Type }) => Type);

  expect(types).not.toContain('AWS::ApiGateway::Account');
  expect(types).not.toContain('AWS::SNS::Subscription');
  const functions = usual.properties('AWS::Lambda::Function');
  expect(functions.filter((each) => Number(each.ReservedConcurrentExecutions ?? 0) > 0)).toEqual([]);
});

it('tags everything that can have tags with the prefix', () => {
  const tagged = usual.resources().filter(({ Properties: { Tags } }) => Tags !== undefined);

  for (const { Properties, Type } of tagged) {
    if (Type === 'AWS::SSM::Parameter') expect(Properties.Tags).toMatchObject({ 'latchkey:prove': PREFIX });
    else expect(Properties.Tags).toContainEqual({ Key: 'latchkey:prove', Value: PREFIX });
  }
  expect(tagged.map(({ Type }) => Type)).toEqual(
    expect.arrayContaining([
      ...['AWS::CloudWatch::Alarm', 'AWS::IAM::Role', 'AWS::KMS::Key', 'AWS::Lambda::Function'],
      ...['AWS::Logs::LogGroup', 'AWS::SecretsManager::Secret', 'AWS::SNS::Topic', 'AWS::SQS::Queue'],
    ]),
  );
  for (const { tags } of usual.assembly.stacks) expect(tags).toMatchObject({ 'latchkey:prove': PREFIX });
});

it('keeps the tokens that are proven, for each tenant', () => {
  const names = usual.properties('AWS::SecretsManager::Secret').map(({ Name }) => String(Name));

  expect(names.every((name) => name.startsWith(`${PREFIX}/`))).toBe(true);
  expect(names.filter((name) => name.includes('/token/'))).toHaveLength(
    PROVEN_TENANTS.length * PROVEN_TOKENS.length,
  );
});

describe('the roles', () => {
  it('trust the account, and their ARNs are outputs', () => {
    for (const name of ['Operator', 'Service', 'Describer']) {
      const { Properties } = usual.only('AWS::IAM::Role', name);
      expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).toContain(`:iam::${ACCOUNT}:root`);
      expect(Properties).not.toHaveProperty('RoleName');
      expect(usual.template(STACKS.run).Outputs).toHaveProperty(`${name}RoleArn`);
    }
  });

  it('of an operator has the operator policy only', () => {
    expect(usual.only('AWS::IAM::Role', 'Operator').Properties.ManagedPolicyArns).toHaveLength(1);
    expect(usual.statements('OperatorDefaultPolicy')).toEqual([]);
  });

  it('of a service reads tokens, has them renewed, and calls the restore API', () => {
    const actions = usual.statements('Service').flatMap(({ Action }) => Action);

    expect([...new Set(actions)].sort()).toEqual([
      'execute-api:Invoke',
      'kms:Decrypt',
      'lambda:InvokeFunction',
      'secretsmanager:GetSecretValue',
    ]);
    expect(actions.filter((action) => action === 'secretsmanager:GetSecretValue')).toHaveLength(
      PROVEN_TENANTS.length * PROVEN_TOKENS.length,
    );
  });

  it('refer to nothing of the deployment’s stack that would hinder its changes', () => {
    expect(JSON.stringify(usual.template(STACKS.run))).not.toContain('Fn::ImportValue');
  });
});

it('has no access log, with which an account without a logging role would refuse the stage', () => {
  const [stage] = usual.properties('AWS::ApiGateway::Stage');

  expect(stage).not.toHaveProperty('AccessLogSetting');
  expect(JSON.stringify(stage!.MethodSettings)).not.toMatch(/"LoggingLevel":"(INFO|ERROR)"/);
});

it('can be deployed with other settings', () => {
  const synthesis = deployed({
    credentials: { maxAgeDays: 30 },
    restoreApi: { auth: 'iam' },
    restore: { available: false },
  });
  const { rotationSchedule } = usual.deploymentFiles()[0]!.credentials;

  expect(synthesis.deploymentFiles()[0]).toMatchObject({
    credentials: { maxAgeDays: 30, rotationSchedule },
    restore: { available: false },
  });
  expect(JSON.stringify(synthesis.properties('AWS::ApiGateway::Method'))).toContain('AWS_IAM');
});

it('the sandbox is one stack, with the tenants of the configuration and the tag of the run', () => {
  const app = temporaryApp();
  addRunSandbox(app, written());
  const synthesis = new Synthesis(app);
  const [code] = synthesis.codeFolders();
  const tenants = PROVEN_TENANTS.map((tenantId) => ({ tenantId }));

  expect(synthesis.assembly.stacks).toEqual([
    expect.objectContaining({
      stackName: STACKS.sandbox,
      environment: expect.objectContaining({ account: ACCOUNT, region: 'eu-west-1' }) as object,
      tags: { 'latchkey:prove': PREFIX },
    }),
  ]);
  expect(JSON.parse(readFileSync(join(code!, 'seed.json'), 'utf8'))).toEqual({
    deployments: [{ environment: 'staging', platformRegion: 'global', tenants }],
  });
});
