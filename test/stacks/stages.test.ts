import { join } from 'node:path';

import { type Environment, Stage } from 'aws-cdk-lib';
import { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';

import { loadConfiguration, parseConfiguration } from '../../lib/options/load';
import { type Configuration } from '../../lib/options/schema';
import { addStacks } from '../../lib/stacks/add-stacks';
import { ACCOUNT_ID, configuration, REGION, tenant, written } from '../support/lib/configuration';
import { synthesizeOnce, Synthesis, temporaryApp } from '../support/lib/synthesis';

const STAGE = { account: '444455556666', region: 'eu-central-1' };
const AT_STAGE = '444455556666/eu-central-1';

/** The account and AWS region of a pipeline’s build, or of a developer’s credentials. */
beforeEach(() => {
  process.env.CDK_DEFAULT_ACCOUNT = '777788889999';
  process.env.CDK_DEFAULT_REGION = 'us-east-1';
});
afterEach(() => {
  delete process.env.CDK_DEFAULT_ACCOUNT;
  delete process.env.CDK_DEFAULT_REGION;
});

/** The stacks of a configuration in a stage of that name. */
function inStage(value: Configuration, env?: Environment, name = 'Production'): Synthesis {
  const stage = new Stage(temporaryApp(), name, { env });
  addStacks(stage, value);
  return new Synthesis(stage.synth());
}

const unplaced = { account: undefined, region: undefined };
const placesOf = ({ assembly }: Synthesis) => [
  ...new Set(assembly.stacks.map(({ environment }) => environment.name)),
];

describe('the stacks in a stage', () => {
  const value = configuration({ tenants: [tenant('tenant-a'), tenant('tenant_b')] });
  const [plain, staged] = [synthesizeOnce(value), inStage(value)];

  it('have the same resources as without one', () => {
    // CDK derives the authorizer’s name and the ids of permissions from their path in the app.
    const resourcesIn = (synthesis: Synthesis) =>
      Object.fromEntries(
        synthesis
          .resources()
          .filter(({ Type }) => !/^AWS::(ApiGateway|Lambda::Permission$)/.test(Type))
          .map((resource) => [`${resource.stack} ${resource.logicalId}`, resource]),
      );

    expect(resourcesIn(staged)).toEqual(resourcesIn(plain));
    expect(staged.only('AWS::ApiGateway::RestApi')).toEqual(plain.only('AWS::ApiGateway::RestApi'));
  });

  it('are deployed in the same order as without one', () => {
    const dependenciesIn = ({ assembly }: Synthesis) =>
      assembly.stacks.map(({ stackName, dependencies }) => [
        stackName,
        dependencies.flatMap((each) => (each instanceof CloudFormationStackArtifact ? each.stackName : [])),
      ]);

    expect(Object.fromEntries(dependenciesIn(staged))).toEqual({
      'latchkey-api-gateway': [],
      'latchkey-staging-global': ['latchkey-api-gateway'],
      'latchkey-staging-global-tenant-a': ['latchkey-staging-global'],
      'latchkey-staging-global-tenant-b-9fe33b5f': ['latchkey-staging-global'],
    });
    expect(Object.fromEntries(dependenciesIn(plain))).toEqual(Object.fromEntries(dependenciesIn(staged)));
  });
});

describe('account and AWS region in a stage', () => {
  it.each([
    ['are those of the configuration if the stage has none', {}, undefined, `${ACCOUNT_ID}/${REGION}`],
    ['are those of the stage, not of the deployer’s credentials', unplaced, STAGE, AT_STAGE],
    [
      'come one from each if each names one',
      { account: undefined, region: 'eu-west-2' },
      { account: STAGE.account },
      '444455556666/eu-west-2',
    ],
    ['are those of the credentials if neither names them', unplaced, undefined, '777788889999/us-east-1'],
    ['may be named by both', STAGE, STAGE, AT_STAGE],
  ])('%s', (_, deployment, env, place) => {
    expect(placesOf(inStage(configuration(deployment), env))).toEqual([`aws://${place}`]);
  });

  it('are those of the enclosing stage if the stage has none', () => {
    const outer = new Stage(temporaryApp(), 'Outer', { env: STAGE });
    const inner = new Stage(outer, 'Inner');
    addStacks(inner, configuration(unplaced));

    expect(placesOf(new Synthesis(inner.synth()))).toEqual([`aws://${AT_STAGE}`]);
  });

  it('are refused where configuration and stage differ, all at once and with both values', () => {
    const deployments = [
      written().deployments[0]!,
      { ...written().deployments[0]!, environment: 'production' as const, tenants: [], account: undefined },
    ];
    const value = parseConfiguration({ ...written(), deployments }, 'test configuration');

    expect(() => inStage(value, STAGE)).toThrow(
      [
        'the configuration of the stage Production cannot be used:',
        `  deployments[0].account: found "${ACCOUNT_ID}"; allowed: 444455556666, the account of the stage`,
        `  deployments[0].region: found "${REGION}"; allowed: eu-central-1, the region of the stage`,
        `  deployments[1].region: found "${REGION}"; allowed: eu-central-1, the region of the stage`,
      ].join('\n'),
    );
  });

  it('are refused for a local configuration, which is never deployed to an account', () => {
    const local = loadConfiguration(join(__dirname, '../../config/local.json'));

    expect(() => inStage(local, { account: STAGE.account })).toThrow(
      '  local: found true; allowed: false in a stage with the account 444455556666',
    );
  });
});
