import { type PolicyOwner } from '../../../src/iam/malformed-policy';

/** What a template gives a policy to. */
export type DeployedOwner = Exclude<PolicyOwner, 'session'>;

/** A policy that AWS refuses: what is wrong, the document, where the message points, and a part of the message. */
export type MalformedCase = [
  what: string,
  owner: DeployedOwner,
  document: unknown,
  place: string,
  text: string,
];

const GRAMMAR = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html';
const ELEMENTS = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements';
/** Messages that IAM was seen to answer. Apache-2.0; the documents here are our own. */
const RECORDED = 'https://github.com/getmoto/moto/blob/master/tests/test_iam/test_iam_policies.py';

const of = (...statements: unknown[]) => ({ Version: '2012-10-17', Statement: statements });
const read = { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: '*' };
const readOn = (change: object) => of({ ...read, ...change });
const without = (name: keyof typeof read, change: object = {}) => readOn({ [name]: undefined, ...change });
const trust = (change: object = {}) =>
  of({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: '*', ...change });
const onSecret = (change: object = {}) => readOn({ Principal: '*', ...change });

type Refused = [what: string, change: object, text: string, placeWithin?: string];

/** A policy of which one statement is refused for its first changed element, or at a place within that. */
const refused = (owner: DeployedOwner, ...[what, change, text, placeWithin = '']: Refused): MalformedCase => {
  const policyOf = owner === 'trust' ? trust : ['role', 'managed'].includes(owner) ? readOn : onSecret;
  return [what, owner, policyOf(change), `Statement[0].${Object.keys(change)[0]}${placeWithin}`, text];
};
const inRole = (...row: Refused) => refused('role', ...row);

/** By source. */
export const MALFORMED: Record<string, MalformedCase[]> = {
  [GRAMMAR]: [
    ['a document that is text', 'role', 'text', '', 'found "text"'],
    ['a statement that is text', 'role', of('x'), 'Statement[0]', 'found "x"'],
    ['an unknown element of the document', 'role', { ...of(read), Conditions: {} }, '', 'found "Conditions"'],
    [
      'an unknown element of a statement',
      'role',
      of(read, { ...read, Actions: [] }),
      'Statement[1]',
      'found "Actions"',
    ],
    ['no Statement', 'queue', { Version: '2012-10-17' }, 'Statement', 'found nothing'],
    ['an Id that is a number', 'topic', { ...of({ ...read, Principal: '*' }), Id: 1 }, 'Id', 'found 1'],
    refused('secret', 'a Sid that is a list', { Sid: ['a'] }, 'found ["a"]'),
    inRole('a Sid with a space in an identity policy', { Sid: 'a b' }, 'must be alpha-numeric'),
    inRole('no Effect', { Effect: undefined }, 'allowed: "Allow", "Deny"'),
    inRole('a Principal in an identity policy', { Principal: '*' }, 'should not specify a principal'),
    inRole('a NotPrincipal in an identity policy', { NotPrincipal: '*' }, 'should not specify a principal'),
    refused('secret', 'no Principal in a resource policy', { Principal: undefined }, 'found nothing'),
    refused('trust', 'no Principal in a trust policy', { Principal: undefined }, 'found nothing'),
    refused('queue', 'Principal and NotPrincipal', { NotPrincipal: '*' }, 'either Principal or NotPrincipal'),
    refused(
      'topic',
      'a principal that is text',
      { Principal: 'arn:aws:iam::111111111111:root' },
      'allowed: "*", or an object with AWS',
    ),
    refused('api', 'an unknown type of principal', { Principal: { Account: '1' } }, 'found "Account"'),
    refused('key', 'a list of no principals', { Principal: { AWS: [] } }, 'must contain principals', '.AWS'),
  ],
  [`${ELEMENTS}_version.html`]: [
    ['another version', 'role', { ...of(read), Version: '2013-10-17' }, 'Version', 'found "2013-10-17"'],
  ],
  [`${ELEMENTS}_principal.html`]: [
    refused(
      'secret',
      'a wildcard in the ARN of a principal',
      { Principal: { AWS: 'arn:aws:iam::111111111111:role/*' } },
      'Invalid principal in policy',
      '.AWS',
    ),
    refused(
      'trust',
      'a principal that is no identity',
      { Principal: { AWS: ['111111111111', 'arn:aws:s3:::bucket'] } },
      'found "arn:aws:s3:::bucket"',
      '.AWS',
    ),
    refused(
      'topic',
      'a wildcard in a service',
      { Principal: { Service: '*.amazonaws.com' } },
      'Invalid principal in policy',
      '.Service',
    ),
  ],
  [`${ELEMENTS}_condition_operators.html`]: [
    inRole('Null with IfExists', { Condition: { NullIfExists: { 'a:b': 'true' } } }, 'found "NullIfExists"'),
  ],
  [RECORDED]: [
    [
      'a managed policy without a version',
      'managed',
      { Statement: read },
      'Version',
      'must be version 2012-10-17 or greater',
    ],
    [
      'a managed policy of the older version',
      'managed',
      { Version: '2008-10-17', Statement: read },
      'Version',
      'must be version 2012-10-17 or greater',
    ],
    ['an empty list of statements', 'managed', of(), 'Statement', 'at least one statement'],
    [
      'two statements of one Sid',
      'role',
      of({ ...read, Sid: 'a' }, { ...read, Sid: 'a' }),
      'Statement[1].Sid',
      'must be unique',
    ],
    inRole('an Effect in another case', { Effect: 'allow' }, 'found "allow"'),
    inRole('an empty NotAction', { NotAction: '', Action: undefined }, 'must be prefaced by a vendor'),
    inRole('a vendor with a space', { Action: ['kms:Decrypt', 's s:Get'] }, 'Vendor s s is not valid'),
    inRole('an action with two colons', { Action: 'kms:De:crypt' }, 'can contain only one colon'),
    inRole('no action', { Action: undefined }, 'must contain actions'),
    inRole('a list of no actions', { Action: [] }, 'must contain actions'),
    inRole('Action and NotAction', { NotAction: 'kms:*' }, 'either Action or NotAction'),
    inRole('a list in the list of actions', { Action: [['kms:*']] }, 'a list of texts'),
    inRole('no resource', { Resource: undefined }, 'must contain resources'),
    inRole('Resource and NotResource', { NotResource: [] }, 'either Resource or NotResource'),
    inRole('a resource that is no ARN', { Resource: ['*', 'mine'] }, 'must be in ARN format or "*"'),
    inRole(
      'a resource of an unknown partition',
      { Resource: 'arn:other:s3:::b' },
      'Partition "other" is not valid',
    ),
    inRole('a resource without a service', { Resource: 'arn:aws' }, 'vendor must be fully qualified'),
    inRole(
      'a resource of any service',
      { Resource: 'arn:aws:*:eu-west-1:111111111111:x' },
      'vendor must be fully qualified',
    ),
    inRole(
      'a resource with five parts, of which one is empty',
      { Resource: 'arn:aws:s3::b' },
      'failed legacy parsing',
    ),
    inRole('a condition that is a list', { Condition: [] }, 'found []'),
    inRole('a condition without keys', { Condition: { StringEquals: 'a' } }, 'found "a"', '.StringEquals'),
    inRole(
      'a value of a condition that is an object',
      { Condition: { StringEquals: { 'a:b': {} } } },
      'found {}',
      '.StringEquals["a:b"]',
    ),
    inRole('an unknown operator', { Condition: { x: { 'a:b': '1' } } }, 'found "x"'),
    inRole(
      'a quantifier with two colons',
      { Condition: { 'ForAnyValue::StringEquals': { 'a:b': '1' } } },
      'found "ForAnyValue::StringEquals"',
    ),
  ],
  'https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_policy-validator.html': [
    refused('trust', 'a resource in a trust policy', { Resource: '*' }, 'Has prohibited field Resource'),
    refused(
      'trust',
      'an action of another service in a trust policy',
      { Action: ['sts:AssumeRole', 'kms:Decrypt'] },
      'may only specify STS AssumeRole actions',
    ),
  ],
};

/** A policy that AWS accepts. */
export type AcceptedCase = [what: string, owner: DeployedOwner, document: unknown];

/** By source. */
export const ACCEPTED: Record<string, AcceptedCase[]> = {
  [GRAMMAR]: [
    ['a statement that is no list', 'managed', { Version: '2012-10-17', Statement: read }],
    [
      'numbers and booleans in a condition',
      'role',
      readOn({ Condition: { Bool: { 'a:b': true }, NumericEquals: { 'a:c': [1, 2] } } }),
    ],
    ['a Sid with a space in a resource policy', 'key', onSecret({ Sid: 'Allow use of the key' })],
    [
      'a service and an account',
      'secret',
      onSecret({ Principal: { AWS: ['111111111111', '*'], Service: 'x.amazonaws.com' } }),
    ],
  ],
  [`${ELEMENTS}_version.html`]: [
    ['an inline policy without a version', 'role', { Statement: [read] }],
    ['the older version on a resource', 'topic', { ...onSecret(), Version: '2008-10-17' }],
  ],
  [`${ELEMENTS}_principal.html`]: [
    ['the id of a deleted role', 'key', onSecret({ Principal: { AWS: 'AROAXXXXXXXXXXXXXXXXX' } })],
    ['a session', 'secret', onSecret({ Principal: { AWS: 'arn:aws:sts::111111111111:assumed-role/r/s' } })],
  ],
  'https://docs.aws.amazon.com/kms/latest/APIReference/API_CreateKey.html': [
    ['a statement of a key policy without a resource', 'key', without('Resource', { Principal: '*' })],
    ['a statement of a key policy without an action', 'key', without('Action', { Principal: '*' })],
  ],
  [RECORDED]: [
    ['any action', 'managed', readOn({ Action: '*' })],
    ['a vendor that does not exist', 'managed', readOn({ Action: 'no-such.service:Act on it' })],
    ['a resource with missing parts', 'managed', readOn({ Resource: 'arn:aws:secretsmanager' })],
    ['a service that does not exist', 'managed', readOn({ Resource: 'arn:aws:no-service:::x' })],
    ['an Id in an identity policy', 'managed', { ...of(read), Id: 'mine' }],
    ['an empty condition', 'managed', readOn({ Condition: {} })],
    ['an unknown operator without keys', 'managed', readOn({ Condition: { x: {} } })],
    ['two empty Sids', 'managed', of({ ...read, Sid: '' }, { ...read, Sid: '' })],
    ['a statement without a Sid beside one with', 'managed', of({ ...read, Sid: 'a' }, read)],
  ],
};
