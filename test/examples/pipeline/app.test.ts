import { join } from 'node:path';

import { type CloudAssembly } from 'aws-cdk-lib/cx-api';

import { loadConfiguration } from '../../../lib/options/load';
import cdkJson from '../../../examples/pipeline/cdk.json';
import { synthesizeOnce, Synthesis } from '../../support/lib/synthesis';
import { InstalledExample } from '../../support/package/installed-example';

const FOLDER = join(__dirname, '../../../examples/pipeline');
const PIPELINE = '111122223333';
const STAGING = '444455556666';
const PRODUCTION = '777788889999';
const QUALIFIER = 'acme';

let run: Awaited<ReturnType<InstalledExample['synthesize']>>;
let stages: { Name: string; Actions: Action[] }[];
const example = new InstalledExample('pipeline');

beforeAll(async () => {
  await example.compile();
  // The build has credentials of the pipeline’s account.
  run = await example.synthesize({
    CDK_DEFAULT_ACCOUNT: PIPELINE,
    CDK_DEFAULT_REGION: 'us-east-1',
    CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, '@aws-cdk/core:bootstrapQualifier': QUALIFIER }),
  });
  stages = new Synthesis(run.assembly).only('AWS::CodePipeline::Pipeline').Properties.Stages as typeof stages;
});
afterAll(() => example.remove());

interface Action {
  Name: string;
  RunOrder: number;
  RoleArn: unknown;
  ActionTypeId: { Category: string; Provider: string };
  Configuration?: { StackName?: string; RoleArn?: unknown; ConnectionArn?: string };
}

const actionsOf = (stage: string) => stages.find(({ Name }) => Name === stage)!.Actions;
/** Lists of what runs at the same time, in order. */
const ordered = (stage: string): string[][] => {
  const actions = actionsOf(stage);
  const orders = [...new Set(actions.map(({ RunOrder }) => RunOrder))].sort((one, other) => one - other);
  return orders.map((order) =>
    actions
      .filter(({ RunOrder }) => RunOrder === order)
      .map(({ Name, Configuration }) => Configuration?.StackName ?? Name)
      .sort(),
  );
};

describe('the pipeline example', () => {
  it('is synthesized with the costs of both accounts', () => {
    expect(run).toMatchObject({ status: 0, stdout: '' });
    expect(run.stderr).toContain('2 deployments, list prices');
    expect(run.stderr.match(/Quotas .*/g)).toEqual([
      `Quotas in eu-west-1 of account ${STAGING}`,
      `Quotas in eu-west-1 of account ${PRODUCTION}`,
    ]);
  });

  it('deploys staging, then production after an approval, from a connection', () => {
    expect(stages.map(({ Name }) => Name)).toEqual([
      'Source',
      'Build',
      'UpdatePipeline',
      'Assets',
      'Staging',
      'Production',
    ]);
    expect(actionsOf('Source').map(({ ActionTypeId }) => ActionTypeId.Provider)).toEqual([
      'CodeStarSourceConnection',
    ]);
    expect(actionsOf('Source')[0]!.Configuration!.ConnectionArn).toContain(`:${PIPELINE}:connection/`);
    const [approval] = actionsOf('Production').filter(({ RunOrder }) => RunOrder === 1);
    expect(approval!.ActionTypeId.Category).toBe('Approval');
  });

  it('deploys tenants together, after the deployment’s stack and the logging role', () => {
    expect(ordered('Staging')).toEqual([
      ['latchkey-api-gateway'],
      ['latchkey-staging-global'],
      ['latchkey-staging-global-eu-west-2-StagingAb-9e7a7c3a'],
    ]);
    expect(ordered('Production').slice(1)).toEqual([
      ['latchkey-api-gateway'],
      ['latchkey-production-global'],
      [
        'latchkey-production-global-eu-west-2-Productio-ae4fa28c',
        'latchkey-production-global-eu-west-2-SecondOne-097882c1',
      ],
    ]);
  });

  it('deploys the stacks that `cdk deploy` would deploy, under the same names and in the same accounts', () => {
    const plain = synthesizeOnce(loadConfiguration(join(FOLDER, 'latchkey.json')));
    const placed = (from: CloudAssembly) =>
      from.stacksRecursively
        .map(({ stackName, environment }) => `${stackName} in ${environment.name}`)
        .filter((line) => !line.startsWith('latchkey-pipeline '))
        .sort();

    expect(placed(run.assembly)).toEqual(placed(plain.assembly));
    expect(placed(run.assembly)).toHaveLength(7);
    expect(run.assembly.getStackByName('latchkey-pipeline').environment.account).toBe(PIPELINE);
  });
});
