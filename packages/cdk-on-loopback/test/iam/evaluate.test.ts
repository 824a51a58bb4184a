import { evaluatePolicies, type Policies, type PolicyRequest } from '../../src/iam/evaluate';
import {
  SECRET,
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
  messageOf,
} from './requests-and-policies';

it('names the statements that allowed', () => {
  const policies = {
    ...identity({ ...allowAll, Sid: 'Use' }),
    resource: policy({ ...allowAll, Principal: root, Sid: 'Account' }),
  };

  expect(evaluatePolicies(useKey, policies)).toEqual({
    allowed: true,
    statements: ['inline/Use', 'resource-based policy/Account'],
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
