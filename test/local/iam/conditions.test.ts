import { type PolicyStatement } from '../../../local/account';
import { evaluatePolicies } from '../../../local/iam/evaluate';
import {
  ACCOUNT,
  OTHER_ACCOUNT,
  SECRET,
  ROLE,
  scheduler,
  readSecret,
  allowAll,
  identity,
  resourceOnly,
  isAllowed,
  messageOf,
} from './requests-and-policies';

// IAM user guide, reference_policies_elements_condition_operators, reference_policies_multi-value-conditions
describe('conditions', () => {
  const context = {
    'kms:ViaService': 'secretsmanager.eu-west-1.amazonaws.com',
    'aws:SourceArn': SECRET,
    'aws:SecureTransport': 'true',
    'secretsmanager:RecoveryWindowInDays': '7',
    'aws:TagKeys': ['team', 'cost'],
    'aws:ResourceTag/Team': 'red',
    'aws:ResourceTag/Until': '2026-03-01T12:00:00Z',
    'aws:ResourceTag/Network': '192.0.2.17',
  };
  const arnPattern = `arn:aws:secretsmanager:*:${ACCOUNT}:secret:latchkey/*`;

  // prettier-ignore
  it.each<[string, NonNullable<PolicyStatement['Condition']>, boolean]>([
    ['StringEquals, equal', { StringEquals: { 'kms:ViaService': ['x', 'secretsmanager.eu-west-1.amazonaws.com'] } }, true],
    ['StringEquals, other case', { StringEquals: { 'kms:ViaService': 'SecretsManager.eu-west-1.amazonaws.com' } }, false],
    ['key names in another case', { StringEquals: { 'KMS:viaservice': 'secretsmanager.eu-west-1.amazonaws.com' } }, true],
    ['StringEquals treats a wildcard literally', { StringEquals: { 'kms:ViaService': 'secretsmanager.*' } }, false],
    ['StringEquals on an absent key', { StringEquals: { 'sts:ExternalId': 'x' } }, false],
    ['StringEqualsIfExists on an absent key', { StringEqualsIfExists: { 'sts:ExternalId': 'x' } }, true],
    ['StringEqualsIfExists on a present key', { StringEqualsIfExists: { 'kms:ViaService': 'x' } }, false],
    ['StringNotEquals, one of several equal', { StringNotEquals: { 'aws:ResourceTag/Team': ['red', 'blue'] } }, false],
    ['StringNotEquals, none equal', { StringNotEquals: { 'aws:ResourceTag/Team': ['green', 'blue'] } }, true],
    ['StringNotEquals on an absent key', { StringNotEquals: { 'sts:ExternalId': 'x' } }, true],
    ['StringLike', { StringLike: { 'kms:ViaService': 'secretsmanager.*.amazonaws.com' } }, true],
    ['StringNotLike', { StringNotLike: { 'kms:ViaService': 'secretsmanager.*' } }, false],
    ['ArnLike', { ArnLike: { 'aws:SourceArn': arnPattern } }, true],
    ['ArnEquals accepts wildcards, too', { ArnEquals: { 'aws:SourceArn': arnPattern } }, true],
    ['ArnLike, another account', { ArnLike: { 'aws:SourceArn': arnPattern.replace(ACCOUNT, OTHER_ACCOUNT) } }, false],
    ['ArnLike compares part by part', { ArnLike: { 'aws:SourceArn': 'arn:aws:secretsmanager:*:secret:latchkey/*' } }, false],
    ['ArnNotLike', { ArnNotLike: { 'aws:SourceArn': arnPattern } }, false],
    ['Bool', { Bool: { 'aws:SecureTransport': 'true' } }, true],
    ['Bool, the other', { Bool: { 'aws:SecureTransport': 'false' } }, false],
    ['Bool written as JSON boolean', { Bool: { 'aws:SecureTransport': true as never } }, true],
    ['BoolIfExists on an absent key', { BoolIfExists: { 'aws:ViaAWSService': 'true' } }, true],
    ['Null true on an absent key', { Null: { 'sts:ExternalId': 'true' } }, true],
    ['Null true on a present key', { Null: { 'aws:SourceArn': 'true' } }, false],
    ['Null false on a present key', { Null: { 'aws:SourceArn': 'false' } }, true],
    ['NumericLessThanEquals, equal', { NumericLessThanEquals: { 'secretsmanager:RecoveryWindowInDays': '7' } }, true],
    ['NumericLessThan, equal', { NumericLessThan: { 'secretsmanager:RecoveryWindowInDays': '7' } }, false],
    ['NumericGreaterThan', { NumericGreaterThan: { 'secretsmanager:RecoveryWindowInDays': '6' } }, true],
    ['NumericGreaterThanEquals', { NumericGreaterThanEquals: { 'secretsmanager:RecoveryWindowInDays': '8' } }, false],
    ['NumericEquals, another notation', { NumericEquals: { 'secretsmanager:RecoveryWindowInDays': '7.0' } }, true],
    ['NumericNotEquals', { NumericNotEquals: { 'secretsmanager:RecoveryWindowInDays': '7' } }, false],
    ['StringEqualsIgnoreCase', { StringEqualsIgnoreCase: { 'aws:ResourceTag/Team': 'RED' } }, true],
    ['StringNotEqualsIgnoreCase', { StringNotEqualsIgnoreCase: { 'aws:ResourceTag/Team': 'RED' } }, false],
    ['BinaryEquals', { BinaryEquals: { 'aws:ResourceTag/Team': 'red' } }, true],
    ['DateLessThan, later', { DateLessThan: { 'aws:ResourceTag/Until': '2026-03-01T12:00:01Z' } }, true],
    ['DateLessThan, equal', { DateLessThan: { 'aws:ResourceTag/Until': '2026-03-01T12:00:00Z' } }, false],
    ['DateLessThanEquals, the same moment in another zone', { DateLessThanEquals: { 'aws:ResourceTag/Until': '2026-03-01T13:00:00+01:00' } }, true],
    ['DateEquals, in seconds since 1970', { DateEquals: { 'aws:ResourceTag/Until': '1772366400' } }, true],
    ['DateNotEquals', { DateNotEquals: { 'aws:ResourceTag/Until': '1772366400' } }, false],
    ['DateGreaterThan, a day', { DateGreaterThan: { 'aws:ResourceTag/Until': '2026-03-01' } }, true],
    ['DateGreaterThanEquals', { DateGreaterThanEquals: { 'aws:ResourceTag/Until': '2026-03-02' } }, false],
    ['a date that is none', { DateLessThan: { 'aws:ResourceTag/Team': '2026-03-02' } }, false],
    ['IpAddress, in a range', { IpAddress: { 'aws:ResourceTag/Network': '192.0.2.0/24' } }, true],
    ['IpAddress, one address', { IpAddress: { 'aws:ResourceTag/Network': '192.0.2.17' } }, true],
    ['IpAddress, outside', { IpAddress: { 'aws:ResourceTag/Network': ['192.0.2.0/28', '2001:db8::/32'] } }, false],
    ['IpAddress, no range', { IpAddress: { 'aws:ResourceTag/Network': '192.0.2.0/x' } }, false],
    ['NotIpAddress', { NotIpAddress: { 'aws:ResourceTag/Network': '192.0.2.0/24' } }, false],
    ['NotIpAddressIfExists on an absent key', { NotIpAddressIfExists: { 'sts:ExternalId': '192.0.2.0/24' } }, true],
    ['ForAllValues, all within', { 'ForAllValues:StringEquals': { 'aws:TagKeys': ['team', 'cost', 'x'] } }, true],
    ['ForAllValues, one without', { 'ForAllValues:StringEquals': { 'aws:TagKeys': ['team'] } }, false],
    ['ForAllValues on an absent key', { 'ForAllValues:StringEquals': { 'sts:ExternalId': 'x' } }, true],
    ['ForAnyValue, one within', { 'ForAnyValue:StringEquals': { 'aws:TagKeys': ['team'] } }, true],
    ['ForAnyValue, none within', { 'ForAnyValue:StringLike': { 'aws:TagKeys': ['x*'] } }, false],
    ['ForAnyValue on an absent key', { 'ForAnyValue:StringEquals': { 'sts:ExternalId': 'x' } }, false],
    [
      'ForAnyValue…IfExists on an absent key',
      { 'ForAnyValue:StringEqualsIfExists': { 'sts:ExternalId': 'x' } },
      false,
    ],
    [
      'ForAllValues…IfExists on an absent key',
      { 'ForAllValues:StringEqualsIfExists': { 'sts:ExternalId': 'x' } },
      true,
    ],
    ['ForAnyValue with a negated operator on an absent key', { 'ForAnyValue:StringNotEquals': { 'sts:ExternalId': 'x' } }, false],
    ['two keys of one operator must both hold', { StringEquals: { 'aws:ResourceTag/Team': 'red', 'kms:ViaService': 'x' } }, false],
    ['two operators must both hold', { StringEquals: { 'aws:ResourceTag/Team': 'red' }, Bool: { 'aws:SecureTransport': 'false' } }, false],
  ])('%s', (_, Condition, expected) => {
    const decision = evaluatePolicies({ ...readSecret, context }, identity({ ...allowAll, Condition }));

    expect(decision.allowed).toBe(expected);
    if (!expected) expect(messageOf(decision)).toContain('no identity-based policy');
  });

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
