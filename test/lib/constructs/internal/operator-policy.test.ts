import * as iam from 'aws-cdk-lib/aws-iam';

import { type DeploymentStack } from '../../../../lib/stacks/deployment-stack';
import { addStacks } from '../../../../lib/stacks/add-stacks';
import { configuration, type WrittenDeployment } from '../../../support/lib/configuration';
import { Synthesis, temporaryApp } from '../../../support/lib/synthesis';

const STACK = 'latchkey-staging-global';

/** Statements about execute-api, in the operator policy and in a role with grantOperate. */
function apiStatements(restoreApi: WrittenDeployment['restoreApi']) {
  const app = temporaryApp();
  addStacks(app, configuration({ restoreApi }));
  const stack = app.node.findChild(STACK) as DeploymentStack;
  const role = new iam.Role(stack, 'Operators', { assumedBy: new iam.AccountRootPrincipal() });
  stack.operatorPolicy.grantOperate(role);
  const synthesis = new Synthesis(app);
  const statementsOf = (type: string, logicalId: RegExp) =>
    synthesis
      .resourcesOf(STACK, type)
      .filter((resource) => logicalId.test(resource.logicalId))
      .flatMap(
        ({ Properties }) =>
          (Properties.PolicyDocument as { Statement: { Action: string | string[]; Resource: unknown }[] })
            .Statement,
      )
      .filter(({ Action }) => JSON.stringify(Action).includes('execute-api:'));
  return {
    policy: statementsOf('AWS::IAM::ManagedPolicy', /^Operator/),
    role: statementsOf('AWS::IAM::Policy', /^Operators/),
  };
}

describe('operators', () => {
  it('may call the restore route, and nothing else, in iam mode', () => {
    const { policy, role } = apiStatements({ auth: 'iam' });

    expect(policy).toEqual([
      {
        Action: 'execute-api:Invoke',
        Effect: 'Allow',
        Resource: {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':execute-api:eu-west-1:222233334444:',
              { Ref: expect.stringMatching(/^RestoreApi/) as string },
              '/v1/POST/tenants/*/contents/*/restore',
            ],
          ],
        },
      },
    ]);
    expect(role).toEqual(policy);
  });

  it.each<[string, WrittenDeployment['restoreApi']]>([
    ['callers have the platform’s own schemes', { auth: 'platform' }],
    ['there is no restore API', { enabled: false, auth: 'iam' }],
  ])('may not call any API if %s', (_, restoreApi) => {
    expect(apiStatements(restoreApi)).toEqual({ policy: [], role: [] });
  });
});
