import { isAllowed, provisionSynthesis } from '../../../support/lib/provisioned';
import { synthesizeWithReaders } from '../../../support/lib/readers';
import { type WrittenDeployment } from '../../../support/lib/configuration';
import { synthesisWith } from '../../../support/lib/synthesis';

/** What the policy of operators says about execute-api. */
const apiStatements = (restoreApi: WrittenDeployment['restoreApi']) =>
  synthesisWith({ restoreApi })
    .statements('Operator')
    .filter(({ Action }) => JSON.stringify(Action).includes('execute-api:'));

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
    const route = [
      ':execute-api:eu-west-1:222233334444:',
      { Ref: expect.stringMatching(/^RestoreApi/) as string },
      '/v1/POST/tenants/*/contents/*/restore',
    ];

    expect(apiStatements({ auth: 'iam' })).toMatchObject([
      { Action: 'execute-api:Invoke', Resource: { 'Fn::Join': ['', expect.arrayContaining(route)] } },
    ]);
  });

  it.each<[string, WrittenDeployment['restoreApi']]>([
    ['callers have the platform’s own schemes', { auth: 'platform' }],
    ['there is no restore API', { enabled: false, auth: 'iam' }],
  ])('may not call any API if %s', (_, restoreApi) => {
    expect(apiStatements(restoreApi)).toEqual([]);
  });
});
