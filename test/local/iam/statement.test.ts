import { type PolicyStatement } from '../../../local/account';
import { evaluatePolicies } from '../../../local/iam/evaluate';
import {
  ACCOUNT,
  OTHER_ACCOUNT,
  SECRET,
  ROLE,
  readSecret,
  allowAll,
  denyAll,
  policy,
  identity,
  isAllowed,
  messageOf,
} from './requests-and-policies';

describe('what a statement covers', () => {
  // prettier-ignore
  it.each<[string, Partial<PolicyStatement>, boolean | 'not understood']>([
    ['the action in another case', { Action: 'SecretsManager:getsecretvalue' }, true],
    ['an action with *', { Action: ['x:Y', 'secretsmanager:Get*'] }, true],
    ['an action with ?', { Action: 'secretsmanager:GetSecretValu?' }, true],
    ['? stands for exactly one character', { Action: 'secretsmanager:GetSecretValue?' }, false],
    ['another action', { Action: 'secretsmanager:PutSecretValue' }, false],
    ['NotAction with another action', { Action: undefined, NotAction: 'secretsmanager:Put*' }, true],
    ['NotAction with this action', { Action: undefined, NotAction: ['secretsmanager:Get*'] }, false],
    ['the exact resource', { Resource: SECRET }, true],
    ['a path with *', { Resource: `arn:aws:secretsmanager:*:${ACCOUNT}:secret:latchkey/*/api-key-??????` }, true],
    ['a resource in another case', { Resource: SECRET.replace('latchkey', 'LATCHKEY') }, false],
    // IAM user guide, reference_policies_elements_resource: "beyond the colon boundaries".
    ['* at the end of a part expands over parts', { Resource: 'arn:aws:secretsmanager:*:secret:latchkey/*' }, true],
    ['* after other text of a part does, too', { Resource: 'arn:aws:secretsmanager:eu-*:secret:latchkey/*' }, true],
    ['* before other text of a part does not', { Resource: 'arn:aws:secretsmanager:eu*1:secret:latchkey/*' }, false],
    ['? does not cross a colon', { Resource: `arn:aws:secretsmanager:eu-west-1?${ACCOUNT}::secret:latchkey/*` }, false],
    ['NotResource excludes what * expands to', { Resource: undefined, NotResource: 'arn:aws:secretsmanager:*:secret:latchkey/*' }, false],
    ['missing parts after the service stand for anything', { Resource: 'arn:aws:secretsmanager:*' }, true],
    ['missing parts after the service, of another one', { Resource: 'arn:aws:sqs:*' }, false],
    ['NotResource with missing parts', { Resource: undefined, NotResource: 'arn:aws:secretsmanager' }, false],
    ['an ARN without a service is not understood', { Resource: 'arn:aws' }, 'not understood'],
    ['* stays within the account part', { Resource: `arn:aws:secretsmanager:eu-west-1:*:secret:other*` }, false],
    ['NotResource with another resource', { Resource: undefined, NotResource: `${SECRET}2` }, true],
    ['NotResource with this resource', { Resource: undefined, NotResource: [SECRET] }, false],
  ])('%s', (_, part, expected) => {
    const decision = evaluatePolicies(readSecret, identity({ ...allowAll, ...part }));

    expect(decision.allowed).toBe(expected === true);
    const reason = typeof expected === 'string' ? 'does not understand Resource' : 'no identity-based policy';
    if (!decision.allowed) expect(messageOf(decision)).toContain(reason);
  });

  it('allows an operation without a resource only on *', () => {
    const list = { ...readSecret, action: 'secretsmanager:ListSecrets', resource: '*' };

    expect(isAllowed(list, identity({ ...allowAll, Resource: SECRET }))).toBe(false);
    expect(isAllowed(list, identity(allowAll))).toBe(true);
  });
});

describe('anything not understood denies, and is named', () => {
  // prettier-ignore
  it.each<[string, Partial<PolicyStatement>, string]>([
    ['operator', { Condition: { StringMatches: { 'aws:SourceArn': 'x' } } }, 'condition operator StringMatches'],
    ['quantifier', { Condition: { 'ForSome:StringEquals': { 'aws:SourceArn': 'x' } } }, 'condition operator ForSome:StringEquals'],
    ['condition key', { Condition: { StringNotEquals: { 'aws:PrincipalOrgID': 'o-1' } } }, 'condition key aws:PrincipalOrgID'],
    ['variable in a condition', { Condition: { StringEquals: { 'aws:ResourceTag/x': '${aws:username}' } } }, 'a policy variable in condition'],
    ['variable in a resource', { Resource: 'arn:aws:s3:::${aws:PrincipalTag/team}' }, 'a policy variable in Resource'],
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
      StringEquals: { 'aws:PrincipalAccount': OTHER_ACCOUNT, 'aws:PrincipalOrgID': 'o-1' },
    };

    expect(isAllowed(readSecret, identity(allowAll, { ...denyAll, Condition }))).toBe(true);
  });
});
