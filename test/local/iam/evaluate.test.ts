import { evaluatePolicies, type Policies, type PolicyRequest } from '../../../local/iam/evaluate';
import {
  ACCOUNT,
  OTHER_ACCOUNT,
  SECRET,
  ROLE,
  SESSION,
  READ,
  stranger,
  scheduler,
  readSecret,
  useKey,
  assumeRole,
  allowAll,
  denyAll,
  root,
  policy,
  named,
  identity,
  resourceOnly,
  isAllowed,
  messageOf,
} from './requests-and-policies';

// IAM user guide, reference_policies_evaluation-logic
describe('whose policy must allow', () => {
  const direct = { ...allowAll, Principal: { AWS: ROLE } };
  const delegating = { ...allowAll, Principal: root };
  const foreign = { ...readSecret, principal: stranger };
  const foreignDirect = {
    ...allowAll,
    Principal: { AWS: stranger.kind === 'role-session' ? stranger.roleArn : '' },
  };

  // prettier-ignore
  it.each<[string, PolicyRequest, Policies, boolean]>([
    ['nobody: denied', readSecret, identity(), false],
    ['the identity policy alone', readSecret, identity(allowAll), true],
    ['the resource policy alone, naming the role', readSecret, resourceOnly(direct), true],
    ['the resource policy alone, naming everybody', readSecret, resourceOnly({ ...allowAll, Principal: '*' }), true],
    ['the resource policy alone, naming {AWS: *}', readSecret, resourceOnly({ ...allowAll, Principal: { AWS: '*' } }), true],
    ['the resource policy alone, naming the session', readSecret, resourceOnly({ ...allowAll, Principal: { AWS: [SESSION] } }), true],
    ['a resource policy that names the account, without an identity policy', readSecret, resourceOnly(delegating), false],
    ['an account id as principal, with an identity policy', useKey, { ...identity(allowAll), resource: policy({ ...allowAll, Principal: { AWS: ACCOUNT } }) }, true],
    ['a resource policy that names another role', readSecret, resourceOnly({ ...allowAll, Principal: { AWS: `${ROLE}2` } }), false],
    ['a resource policy that names a service', readSecret, resourceOnly({ ...allowAll, Principal: { Service: 'x.amazonaws.com' } }), false],
    ['another account: its identity policy alone', foreign, identity(allowAll), false],
    ['another account: the resource policy alone', foreign, resourceOnly(foreignDirect), false],
    ['another account: both sides', foreign, { ...identity(allowAll), resource: policy(foreignDirect) }, true],
    ['another account: both sides, the resource naming the account', foreign, { ...identity(allowAll), resource: policy({ ...allowAll, Principal: { AWS: OTHER_ACCOUNT } }) }, true],
    ['a key: the identity policy alone', useKey, identity(allowAll), false],
    ['a key: the key policy names the role', useKey, resourceOnly(direct), true],
    ['a key: the key policy names the account, whose policy allows', useKey, { ...identity(allowAll), resource: policy(delegating) }, true],
    ['a key: a statement without a resource has no effect', useKey, resourceOnly({ ...direct, Resource: undefined }), false],
    ['a key: a denial without an action has no effect', useKey, resourceOnly(direct, { ...direct, Effect: 'Deny', Action: undefined }), true],
    ['a key: the key policy names the account, without an identity policy', useKey, resourceOnly(delegating), false],
    ['a key: the identity policy, with a key policy that names another role', useKey, { ...identity(allowAll), resource: policy({ ...allowAll, Principal: { AWS: `${ROLE}2` } }) }, false],
    ['the identity policy, with a resource policy that denies another role', readSecret, { ...identity(allowAll), resource: policy({ ...denyAll, Principal: { AWS: `${ROLE}2` } }) }, true],
    ['a role: the identity policy alone', assumeRole, identity(allowAll), false],
    ['a role: its trust policy names the caller', assumeRole, resourceOnly({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: ROLE } }), true],
    ['a role: its trust policy names the account, without an identity policy', assumeRole, resourceOnly({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: root }), false],
    ['a service: through the resource policy', { ...readSecret, principal: scheduler }, resourceOnly({ ...allowAll, Principal: { Service: 'scheduler.amazonaws.com' } }), true],
    ['a service: no resource policy', { ...readSecret, principal: scheduler }, identity(allowAll), false],
    ['a service: the account as principal', { ...readSecret, principal: scheduler }, resourceOnly(delegating), false],
  ])('%s', (_, request, policies, expected) => {
    expect(isAllowed(request, policies)).toBe(expected);
  });

  // prettier-ignore
  it.each<[string, Policies]>([
    ['identity', identity(allowAll, denyAll)],
    ['resource', { ...identity(allowAll), resource: policy({ ...denyAll, Principal: '*' }) }],
    ['resource, through the account', { ...identity(allowAll), resource: policy({ ...denyAll, Principal: root }) }],
    ['boundary', { ...identity(allowAll), boundary: named(allowAll, denyAll) }],
  ])('an explicit deny in the %s policy overrides any allow', (_, policies) => {
    expect(isAllowed(readSecret, policies)).toBe(false);
  });

  const session = { ...allowAll, Principal: { AWS: SESSION } };
  const roleByCondition = {
    ...allowAll,
    Principal: '*' as const,
    Condition: { ArnEquals: { 'aws:PrincipalArn': ROLE } },
  };

  // IAM user guide, access_policies_boundaries, reference_policies_elements_principal (IAM role principals, all principals)
  // prettier-ignore
  it.each<[string, Policies, boolean]>([
    ['limits the identity policies', { ...identity(allowAll), boundary: named() }, false],
    ['allows what it and the identity policies allow', { ...identity(allowAll), boundary: named(allowAll) }, true],
    ['grants nothing by itself', { identity: [], boundary: named(allowAll) }, false],
    ['limits what a resource policy grants to the role', { ...resourceOnly(direct), boundary: named() }, false],
    ['limits what a resource policy grants through the account', { ...identity(allowAll), resource: policy(delegating), boundary: named() }, false],
    ['does not limit what a resource policy grants to the session', { ...resourceOnly(session), boundary: named() }, true],
    ['does not limit what a resource policy grants to everybody under aws:PrincipalArn', { ...resourceOnly(roleByCondition), boundary: named() }, true],
    ['does not limit what a resource policy grants to everybody', { ...resourceOnly({ ...allowAll, Principal: { AWS: '*' } }), boundary: named() }, true],
    ['limits by an explicit deny what a resource policy grants to the session', { ...resourceOnly(session), boundary: named(denyAll) }, false],
  ])('a permissions boundary %s', (_, policies, expected) => {
    expect(isAllowed(readSecret, policies)).toBe(expected);
  });

  // IAM user guide, access_policies (session policies), reference_policies_evaluation-logic_policy-eval-denyallow
  // prettier-ignore
  it.each<[string, Policies, boolean]>([
    ['limits the identity policies', { ...identity(allowAll), session: named() }, false],
    ['allows what it and the identity policies allow', { ...identity(allowAll), session: named(allowAll) }, true],
    ['grants nothing by itself', { identity: [], session: named(allowAll) }, false],
    ['limits together with a boundary', { ...identity(allowAll), boundary: named(), session: named(allowAll) }, false],
    ['limits what a resource policy grants to the role', { ...resourceOnly(direct), session: named() }, false],
    ['allows what a resource policy grants to the role', { ...resourceOnly(direct), session: named(allowAll) }, true],
    ['limits what a resource policy grants through the account', { ...identity(allowAll), resource: policy(delegating), session: named() }, false],
    ['does not limit what a resource policy grants to the session', { ...resourceOnly(session), session: named() }, true],
    ['does not limit what a resource policy grants to everybody under aws:PrincipalArn', { ...resourceOnly(roleByCondition), session: named() }, true],
    ['limits by an explicit deny what a resource policy grants to the session', { ...resourceOnly(session), session: named(denyAll) }, false],
  ])('a session policy %s', (_, policies, expected) => {
    expect(isAllowed(readSecret, policies)).toBe(expected);
  });

  it('names the statements that allowed', () => {
    const policies = {
      ...identity({ ...allowAll, Sid: 'Use' }),
      resource: policy({ ...delegating, Sid: 'Account' }),
    };

    expect(evaluatePolicies(useKey, policies)).toEqual({
      allowed: true,
      statements: ['inline/Use', 'resource-based policy/Account'],
    });
  });
});

// IAM user guide, troubleshoot_access-denied
describe('the text of a denial', () => {
  const start = `User: ${SESSION} is not authorized to perform: ${READ} on resource: ${SECRET}`;
  const trust = (Effect: 'Allow' | 'Deny') => policy({ Effect, Action: 'sts:AssumeRole', Principal: '*' });

  // prettier-ignore
  it.each<[PolicyRequest, Policies, string]>([
    [readSecret, identity(), `${start} because no identity-based policy allows the ${READ} action`],
    [readSecret, identity(denyAll), `${start} with an explicit deny in an identity-based policy`],
    [readSecret, { ...identity(allowAll), boundary: named() }, `${start} because no permissions boundary allows the ${READ} action`],
    [readSecret, { ...identity(allowAll), boundary: named(denyAll) }, `${start} with an explicit deny in a permissions boundary`],
    [readSecret, { ...identity(allowAll), session: named() }, `${start} because no session policy allows the ${READ} action`],
    [readSecret, { ...identity(allowAll), session: named(denyAll) }, `${start} with an explicit deny in a session policy`],
    [readSecret, { ...identity(allowAll), resource: policy({ ...denyAll, Principal: '*' }) }, `${start} with an explicit deny in a resource-based policy`],
    [useKey, identity(allowAll), 'because no resource-based policy allows the kms:Decrypt action'],
    [assumeRole, identity(allowAll), 'because no role trust policy allows the sts:AssumeRole action'],
    [assumeRole, { ...identity(allowAll), resource: trust('Deny') }, 'with an explicit deny in the role trust policy'],
    [{ ...readSecret, principal: stranger }, identity(allowAll), `because no resource-based policy allows the ${READ} action`],
    [{ ...readSecret, principal: stranger }, identity(), `because no identity-based policy allows the ${READ} action`],
    [{ ...readSecret, principal: scheduler }, identity(), `User: scheduler.amazonaws.com is not authorized to perform: ${READ}`],
  ])('%#', (request, policies, expected) => {
    expect(messageOf(evaluatePolicies(request, policies))).toContain(expected);
  });
});
