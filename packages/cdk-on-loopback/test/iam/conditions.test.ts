import { type PolicyStatement } from '../../src/account';
import { evaluatePolicies } from '../../src/iam/evaluate';
import {
  ACCOUNT,
  OTHER_ACCOUNT,
  ROLE,
  scheduler,
  readSecret,
  allowAll,
  identity,
  resourceOnly,
  isAllowed,
  messageOf,
} from './requests-and-policies';

describe('conditions', () => {
  it('get the principal without context', () => {
    const Condition = {
      ArnEquals: { 'aws:PrincipalArn': ROLE },
      StringEquals: { 'aws:PrincipalAccount': ACCOUNT },
    };

    expect(isAllowed(readSecret, identity({ ...allowAll, Condition }))).toBe(true);
  });

  it('get the resource that a service acts for', () => {
    const statement = { ...allowAll, Principal: { Service: 'scheduler.amazonaws.com' } };
    const request = { ...readSecret, principal: scheduler };
    const of = (account: string) => ({ StringEquals: { 'aws:SourceAccount': account } });

    expect(isAllowed(request, resourceOnly({ ...statement, Condition: of(ACCOUNT) }))).toBe(true);
    expect(isAllowed(request, resourceOnly({ ...statement, Condition: of(OTHER_ACCOUNT) }))).toBe(false);
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
