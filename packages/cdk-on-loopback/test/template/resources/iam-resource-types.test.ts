import { accountWith, provisionResources, roleFor } from '../../../src/testing/stacks';

const document = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'a:b', Resource: '*' }] };
const BASIC = 'arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';

describe('AWS::IAM resources', () => {
  test('collect all policies of a role', () => {
    const { roles } = accountWith({
      Boundary: ['AWS::IAM::ManagedPolicy', { ManagedPolicyName: 'boundary', PolicyDocument: document }],
      Role: roleFor('lambda.amazonaws.com', {
        ManagedPolicyArns: [
          { 'Fn::Sub': 'arn:${AWS::Partition}:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole' },
        ],
        PermissionsBoundary: { Ref: 'Boundary' },
        Policies: [{ PolicyName: 'own', PolicyDocument: document }],
      }),
      Inline: [
        'AWS::IAM::Policy',
        { PolicyName: 'attached', PolicyDocument: document, Roles: [{ Ref: 'Role' }] },
      ],
      Managed: [
        'AWS::IAM::ManagedPolicy',
        { Path: '/team/', PolicyDocument: document, Roles: [{ Ref: 'Role' }] },
      ],
    });

    const [role] = roles.values();
    expect(role).toMatchObject({
      arn: 'arn:aws:iam::111111111111:role/app-Role-XXXXXXXXXXXX',
      name: 'app-Role-XXXXXXXXXXXX',
      managedPolicyArns: [BASIC, 'arn:aws:iam::111111111111:policy/team/app-Managed-XXXXXXXXXXXX'],
      permissionsBoundaryArn: 'arn:aws:iam::111111111111:policy/boundary',
    });
    expect(role?.inlinePolicies.map(({ name }) => name)).toEqual(['own', 'attached']);
  });

  const NOWHERE = 'arn:aws:iam::111111111111:policy/AdministratorAccess';
  test.each([
    ['a managed policy that does not exist', { ManagedPolicyArns: [NOWHERE] }],
    ['a boundary that does not exist', { PermissionsBoundary: NOWHERE }],
  ])('refuse a role with %s', (_, properties) => {
    expect(() => provisionResources({ Role: roleFor('lambda.amazonaws.com', properties) })).toThrow(
      /no managed policy .*AdministratorAccess/,
    );
  });

  test('refuse policies of users', () => {
    expect(() =>
      provisionResources({
        P: ['AWS::IAM::Policy', { PolicyName: 'p', PolicyDocument: document, Users: ['u'] }],
      }),
    ).toThrow(/no users and groups/);
  });

  test('shorten a generated name to 64 characters as CloudFormation does', () => {
    const { roles } = accountWith(
      { [`R${'o'.repeat(60)}le`]: roleFor('lambda.amazonaws.com') },
      { stackName: 'latchkey-production-global-tenant' },
    );

    expect([...roles.values()][0]?.name).toBe(
      'latchkey-production-glob-Rooooooooooooooooooooooo-XXXXXXXXXXXX',
    );
  });
});
