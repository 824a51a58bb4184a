import * as iam from 'aws-cdk-lib/aws-iam';

import { type DeploymentStack } from '../../../../lib/stacks/deployment-stack';
import { addStacks } from '../../../../lib/stacks/add-stacks';
import { isAllowed, provisionSynthesis } from '../../../support/lib/provisioned';
import { synthesizeWithReaders } from '../../../support/lib/readers';
import { configuration, type WrittenDeployment } from '../../../support/lib/configuration';
import { Synthesis, temporaryApp } from '../../../support/lib/synthesis';

const STACK = 'latchkey-staging-global';

/** Statements about execute-api, in the operator policy and in a role with grantOperate. */
function apiStatements(restoreApi: WrittenDeployment['restoreApi']) {
  const app = temporaryApp();
  addStacks(app, configuration({ restoreApi }));
  const stack = app.node.findChild(STACK) as DeploymentStack;
  const role = new iam.Role(stack, 'Operators', { assumedBy: new iam.AccountRootPrincipal() });
  stack.latchkey.operatorPolicy.grantOperate(role);
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
  describe('rotate credentials as configured', () => {
    const { account, roles } = provisionSynthesis(synthesizeWithReaders());
    const roleArns = roles
      .filter(({ description }) => description === 'operator of staging global')
      .map(({ arn }) => arn);
    const secret = [...account.secrets.values()].find(({ name }) => name.endsWith('/tenant/api-key'))!;
    const [rotation] = [...account.functions.values()].filter(({ arn }) =>
      /staging-global-\w*RotateCredential/.test(arn),
    );
    const mayRotate = (context: Record<string, string>) =>
      roleArns.map((roleArn) =>
        isAllowed(
          { account, roleArn },
          'secretsmanager:RotateSecret',
          { arn: secret.arn, owner: account, policy: secret.resourcePolicy },
          context,
        ),
      );

    it.each<[string, Record<string, string>, boolean]>([
      ['with what is configured', {}, true],
      ['without other rules', { 'secretsmanager:ModifyRotationRules': 'false' }, true],
      ['with the function named', { 'secretsmanager:RotationLambdaARN': rotation!.arn }, true],
      ['with other rules', { 'secretsmanager:ModifyRotationRules': 'true' }, false],
      ['with another function', { 'secretsmanager:RotationLambdaARN': `${rotation!.arn}-other` }, false],
    ])('%s', (_, context, isPermitted) => {
      expect(mayRotate(context)).toEqual([isPermitted, isPermitted]);
    });
  });

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
