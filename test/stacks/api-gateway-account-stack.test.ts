import { parseConfiguration } from '../../lib/options/load';
import { type WrittenDeployment, tenant, written } from '../support/lib/configuration';
import { type Synthesis, synthesizeOnce } from '../support/lib/synthesis';

const ONE = '222233334444';
const OTHER = '555566667777';

/** Deployments of staging global and staging mea, each with its change. */
function synthesisOf(
  changes: Partial<WrittenDeployment>[],
  apiGatewayAccount?: 'managed' | 'existing',
): Synthesis {
  const platformRegions = ['global', 'mea'] as const;
  const deployments = changes.map((change, n) => ({
    environment: 'staging' as const,
    platformRegion: platformRegions[n]!,
    account: ONE,
    region: 'eu-west-1',
    tenants: [tenant(`tenant-${n}`)],
    ...change,
  }));
  return synthesizeOnce(
    parseConfiguration({ ...written(), deployments, apiGatewayAccount }, 'test configuration'),
  );
}
const accountStacks = ({ assembly }: Synthesis) =>
  assembly.stacks.filter(({ stackName }) => stackName === 'latchkey-api-gateway');
const placesOf = (synthesis: Synthesis) =>
  accountStacks(synthesis)
    .map(({ environment }) => environment.name)
    .sort();

describe('API Gateway’s logging role', () => {
  it('is said to replace one that is set', () => {
    const said = (apiGatewayAccount: 'managed' | 'existing') =>
      synthesisOf([{}], apiGatewayAccount)
        .messages()
        .filter((text) => text.startsWith('apiGatewayAccount: '));

    expect(said('managed')).toEqual([expect.stringContaining('replaces one that is set')]);
    expect(said('existing')).toEqual([]);
  });

  it.each([
    ['two deployments at a place', {}, [`aws://${ONE}/eu-west-1`]],
    ['another account', { account: OTHER }, [`aws://${ONE}/eu-west-1`, `aws://${OTHER}/eu-west-1`]],
    ['another region', { region: 'me-south-1' }, [`aws://${ONE}/eu-west-1`, `aws://${ONE}/me-south-1`]],
  ])('is created once for each place, before the deployments: %s', (_, change, places) => {
    const synthesis = synthesisOf([{}, change]);

    expect(placesOf(synthesis)).toEqual(places);
    for (const name of ['latchkey-staging-global', 'latchkey-staging-mea']) {
      const { dependencies, environment } = synthesis.assembly.getStackByName(name);
      const stacks = accountStacks(synthesis).filter((stack) => dependencies.includes(stack));
      expect(stacks.map((stack) => stack.environment.name)).toEqual([environment.name]);
    }
    const settings = synthesis.resources('AWS::ApiGateway::Account');
    expect(settings.map(({ stack }) => stack)).toEqual(places.map(() => 'latchkey-api-gateway'));
  });

  // https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
  it('may write logs, and only API Gateway may assume it', () => {
    const synthesis = synthesisOf([{}]);

    const resources = synthesis
      .resourcesOf('latchkey-api-gateway')
      .filter(({ Type }) => Type !== 'AWS::CDK::Metadata');

    expect(resources.map(({ Type }) => Type)).toEqual(['AWS::IAM::Role', 'AWS::ApiGateway::Account']);
    const [role, settings] = resources as [(typeof resources)[number], (typeof resources)[number]];
    expect(role.Properties).toMatchObject({
      AssumeRolePolicyDocument: {
        Statement: [
          { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } },
        ],
      },
    });
    expect(role.Properties).not.toHaveProperty('Policies');
    expect(JSON.stringify(role.Properties.ManagedPolicyArns)).toMatch(
      /^\[[^[]*\["",\[[^[]*AmazonAPIGatewayPushToCloudWatchLogs"\]\]\}\]$/,
    );
    expect(settings.Properties).toEqual({
      CloudWatchRoleArn: { 'Fn::GetAtt': [role.logicalId, 'Arn'] },
    });
  });

  // https://github.com/aws/aws-cdk/issues/10878
  it('outlives its stack with the account’s setting, because other APIs log with it', () => {
    const synthesis = synthesisOf([{}]);
    const [settings] = synthesis.resources('AWS::ApiGateway::Account');
    const [role] = synthesis.resourcesOf('latchkey-api-gateway', 'AWS::IAM::Role');

    for (const kept of [settings, role])
      expect(kept).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  it.each<[string, Synthesis]>([
    ['configuration says that it exists', synthesisOf([{}, {}], 'existing')],
    ['no deployment has a restore API', synthesisOf([{ restoreApi: { enabled: false } }])],
  ])('is not created if %s', (_, synthesis) => {
    expect(accountStacks(synthesis)).toEqual([]);
    expect(synthesis.resources('AWS::ApiGateway::Account')).toEqual([]);
  });
});
