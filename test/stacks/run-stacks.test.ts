import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type CloudAssembly } from 'aws-cdk-lib/cx-api';

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
const PLATFORM = {
  contentBaseUrl: 'https://abc123.execute-api.eu-west-1.amazonaws.com/v1/staging-global/rest/v1',
  contentTokenBaseUrl: 'https://abc123.execute-api.eu-west-1.amazonaws.com/v1/staging-global/auth',
};

function deployed(settings?: object): Synthesis {
  const location = { accountId: ACCOUNT, region: 'eu-west-1' };
  const written = configurationOf({ prefix: PREFIX, location, platform: PLATFORM, settings });
  const app = temporaryApp();
  addRunStacks(app, parseConfiguration(written, 'the run'));
  return new Synthesis(app);
}

/** The statements of all policies of a role of the run. */
function statementsOf(synthesis: Synthesis, role: string) {
  const policies = synthesis.resourcesOf(stackNamesOf(PREFIX).run, 'AWS::IAM::Policy');
  return policies
    .filter(({ logicalId }) => logicalId.startsWith(role))
    .flatMap(
      ({ Properties }) => (Properties.PolicyDocument as { Statement: { Action: string }[] }).Statement,
    );
}

let usual: Synthesis;
beforeAll(() => {
  usual = deployed();
});

it('has the stacks of the deployment and its tenants, and that of the run after it', () => {
  const { deployment, run } = stackNamesOf(PREFIX);
  const names = usual.stackNames();

  expect(names).toHaveLength(2 + PROVEN_TENANTS.length);
  expect(names.indexOf(run)).toBeGreaterThan(names.indexOf(deployment));
  expect(names.indexOf(deployment)).toBe(0);
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
  const kinds = new Set(tagged.map(({ Type }) => Type));
  const tag = { Key: 'latchkey:prove', Value: PREFIX };

  for (const { Properties, Type } of tagged) {
    if (Type === 'AWS::SSM::Parameter') expect(Properties.Tags).toMatchObject({ [tag.Key]: PREFIX });
    else expect(Properties.Tags).toContainEqual(tag);
  }
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'AWS::CloudWatch::Alarm',
      'AWS::IAM::Role',
      'AWS::KMS::Key',
      'AWS::Lambda::Function',
      'AWS::Logs::LogGroup',
      'AWS::SecretsManager::Secret',
      'AWS::SNS::Topic',
      'AWS::SQS::Queue',
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
    const { run } = stackNamesOf(PREFIX);
    const created = usual
      .resourcesOf(run, 'AWS::IAM::Role')
      .filter(({ Properties }) => JSON.stringify(Properties.AssumeRolePolicyDocument).includes(':root'));

    expect(created).toHaveLength(3);

    for (const { Properties } of created) {
      expect(JSON.stringify(Properties.AssumeRolePolicyDocument)).toContain(`:iam::${ACCOUNT}:root`);
      expect(Properties).not.toHaveProperty('RoleName');
    }
    expect(Object.keys(usual.template(run).Outputs!)).toEqual(
      expect.arrayContaining(['OperatorRoleArn', 'ServiceRoleArn', 'DescriberRoleArn']),
    );
  });

  it('of an operator has the operator policy only', () => {
    const [operator] = usual
      .resourcesOf(stackNamesOf(PREFIX).run, 'AWS::IAM::Role')
      .filter(({ logicalId }) => logicalId.startsWith('Operator'));

    expect(operator!.Properties.ManagedPolicyArns).toHaveLength(1);
    expect(statementsOf(usual, 'Operator')).toEqual([]);
  });

  it('of a service reads tokens, has them renewed, and calls the restore API', () => {
    const actions = statementsOf(usual, 'Service').flatMap(({ Action }) => Action);

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
    expect(JSON.stringify(usual.template(stackNamesOf(PREFIX).run))).not.toContain('Fn::ImportValue');
  });
});

it('has no access log, with which an account without a logging role would refuse the stage', () => {
  const [stage] = usual.properties('AWS::ApiGateway::Stage');

  expect(stage).not.toHaveProperty('AccessLogSetting');
  expect(JSON.stringify(stage!.MethodSettings)).not.toMatch(/"LoggingLevel":"(INFO|ERROR)"/);
});

it('can be deployed with other settings', () => {
  const settings = {
    credentials: { maxAgeDays: 30 },
    restoreApi: { auth: 'iam' },
    restore: { available: false },
  };

  const synthesis = deployed(settings);

  expect(synthesis.deploymentFiles()[0]).toMatchObject({
    credentials: {
      maxAgeDays: 30,
      rotationSchedule: usual.deploymentFiles()[0]!.credentials.rotationSchedule,
    },
    restore: { available: false },
  });
  expect(JSON.stringify(synthesis.properties('AWS::ApiGateway::Method'))).toContain('AWS_IAM');
});

describe('the sandbox', () => {
  const sandbox = () => {
    const location = { accountId: ACCOUNT, region: 'eu-west-1' };
    const app = temporaryApp();
    const written = configurationOf({ prefix: PREFIX, location, platform: PLATFORM });
    addRunSandbox(app, parseConfiguration(written, 'the run'));
    return new Synthesis(app);
  };

  it('is one stack, with the tenants of the configuration and the tag of the run', () => {
    const synthesis = sandbox();
    const [code] = synthesis.codeFolders();
    const [{ environment, tags }] = synthesis.assembly.stacks as [CloudAssembly['stacks'][number]];

    expect(synthesis.stackNames()).toEqual([stackNamesOf(PREFIX).sandbox]);
    expect(environment).toMatchObject({ account: ACCOUNT, region: 'eu-west-1' });
    expect(tags).toEqual({ 'latchkey:prove': PREFIX });
    expect(JSON.parse(readFileSync(join(code!, 'seed.json'), 'utf8'))).toEqual({
      deployments: [
        {
          environment: 'staging',
          platformRegion: 'global',
          tenants: PROVEN_TENANTS.map((tenantId) => ({ tenantId })),
        },
      ],
    });
  });
});
