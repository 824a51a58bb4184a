import { type PolicyStatement } from '../../src/account';
import { evaluatePolicies } from '../../src/iam/evaluate';
import {
  OTHER_ACCOUNT,
  ROLE,
  readSecret,
  allowAll,
  denyAll,
  policy,
  identity,
  isAllowed,
  messageOf,
} from './requests-and-policies';

describe('anything not understood denies, and is named', () => {
  // prettier-ignore
  it.each<[string, Partial<PolicyStatement>, string]>([
    ['operator', { Condition: { StringMatches: { 'aws:SourceArn': 'x' } } }, 'condition operator StringMatches'],
    ['quantifier', { Condition: { 'ForSome:StringEquals': { 'aws:SourceArn': 'x' } } }, 'condition operator ForSome:StringEquals'],
    ['condition key', { Condition: { StringNotEquals: { 'aws:PrincipalOrgPaths': 'o-1' } } }, 'condition key aws:PrincipalOrgPaths'],
    ['variable in a condition', { Condition: { StringEquals: { 'aws:ResourceTag/x': '${aws:username}' } } }, 'the policy variable ${aws:username}'],
    ['variable in a resource', { Resource: 'arn:aws:s3:::${aws:PrincipalTag/team}' }, 'the policy variable ${aws:PrincipalTag/team}'],
    ['several values without a quantifier', { Condition: { StringEquals: { 'aws:TagKeys': 'a' } } }, 'condition StringEquals on aws:TagKeys, which has several values'],
    ['value that is not an ARN', { Condition: { ArnLike: { 'aws:PrincipalArn': '*' } } }, 'a value of condition ArnLike aws:PrincipalArn that is not an ARN'],
    ['element', { Foo: 1 } as never, 'element Foo'],
    ['effect', { Effect: 'allow' as never }, 'the Effect of a statement'],
    ['missing action', { Action: undefined }, 'a statement without Action'],
    ['missing resource', { Resource: undefined }, 'a statement without Resource'],
  ])('%s', (_, part, reason) => {
    const request = { ...readSecret, context: { 'aws:TagKeys': ['a', 'b'] } };
    for (const Effect of ['Allow', 'Deny'] as const) {
      const message = messageOf(
        evaluatePolicies(request, identity(allowAll, { ...allowAll, Effect, ...part })),
      );

      expect(message).toContain(`because the local evaluator does not understand ${reason}`);
      expect(message).toContain('in inline/1');
    }
  });

  it('NotPrincipal in a resource policy', () => {
    const resource = policy({ ...denyAll, NotPrincipal: { AWS: ROLE } });

    expect(messageOf(evaluatePolicies(readSecret, { ...identity(allowAll), resource }))).toContain(
      'understand NotPrincipal',
    );
  });

  it('but not if the statement does not apply', () => {
    const other = {
      ...denyAll,
      Action: 'kms:*',
      Condition: { IpAddress: { 'aws:SourceIp': '192.0.2.0/24' } },
    };

    expect(isAllowed(readSecret, identity(allowAll, other))).toBe(true);
  });

  it('and not if another condition of the statement fails', () => {
    const Condition = {
      StringEquals: { 'aws:PrincipalAccount': OTHER_ACCOUNT, 'aws:PrincipalOrgPaths': 'o-1' },
    };

    expect(isAllowed(readSecret, identity(allowAll, { ...denyAll, Condition }))).toBe(true);
  });
});

describe('a malformed condition', () => {
  it.each(['nonsense', 5, null, [], { StringEquals: 'nonsense' }, { StringEquals: null }])(
    'denies, and says so: %j',
    (condition) => {
      const statement = { ...allowAll, Condition: condition as unknown as PolicyStatement['Condition'] };

      expect(messageOf(evaluatePolicies(readSecret, identity(statement)))).toMatch(/not an object/);
    },
  );
});
