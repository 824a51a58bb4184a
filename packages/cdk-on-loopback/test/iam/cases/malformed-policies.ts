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
    ['no statement', 'secret', of(), 'Statement', 'at least one statement'],
    ['no Statement', 'queue', { Version: '2012-10-17' }, 'Statement', 'found nothing'],
    ['an Id that is a number', 'topic', { ...of({ ...read, Principal: '*' }), Id: 1 }, 'Id', 'found 1'],
    ['a Sid that is a list', 'secret', onSecret({ Sid: ['a'] }), 'Statement[0].Sid', 'found ["a"]'],
    [
      'a Sid with a space in an identity policy',
      'role',
      readOn({ Sid: 'a b' }),
      'Statement[0].Sid',
      'must be alpha-numeric',
    ],
    ['no Effect', 'role', without('Effect'), 'Statement[0].Effect', 'allowed: "Allow", "Deny"'],
    ['another Effect', 'key', onSecret({ Effect: 'Permit' }), 'Statement[0].Effect', 'found "Permit"'],
    [
      'an operator in the plural',
      'secret',
      onSecret({ Condition: { StringsEqual: { 'a:b': 'c' } } }),
      'Statement[0].Condition',
      'found "StringsEqual"',
    ],
    [
      'a Principal in an identity policy',
      'role',
      readOn({ Principal: '*' }),
      'Statement[0].Principal',
      'should not specify a principal',
    ],
    [
      'a NotPrincipal in an identity policy',
      'role',
      readOn({ NotPrincipal: '*' }),
      'Statement[0].NotPrincipal',
      'should not specify a principal',
    ],
    ['no Principal in a resource policy', 'secret', of(read), 'Statement[0].Principal', 'found nothing'],
    [
      'no Principal in a trust policy',
      'trust',
      trust({ Principal: undefined }),
      'Statement[0].Principal',
      'found nothing',
    ],
    [
      'Principal and NotPrincipal',
      'queue',
      onSecret({ NotPrincipal: '*' }),
      'Statement[0].NotPrincipal',
      'either Principal or NotPrincipal',
    ],
    [
      'a principal that is text',
      'topic',
      onSecret({ Principal: 'arn:aws:iam::111111111111:root' }),
      'Statement[0].Principal',
      'allowed: "*", or an object with AWS',
    ],
    [
      'an unknown type of principal',
      'api',
      onSecret({ Principal: { Account: '1' } }),
      'Statement[0].Principal',
      'found "Account"',
    ],
    [
      'a list of no principals',
      'key',
      onSecret({ Principal: { AWS: [] } }),
      'Statement[0].Principal.AWS',
      'must contain principals',
    ],
  ],
  [`${ELEMENTS}_version.html`]: [
    ['another version', 'role', { ...of(read), Version: '2013-10-17' }, 'Version', 'found "2013-10-17"'],
    ['a version that is a number', 'key', { ...onSecret(), Version: 2012 }, 'Version', 'found 2012'],
  ],
  [`${ELEMENTS}_principal.html`]: [
    [
      'a wildcard in the ARN of a principal',
      'secret',
      onSecret({ Principal: { AWS: 'arn:aws:iam::111111111111:role/*' } }),
      'Statement[0].Principal.AWS',
      'Invalid principal in policy',
    ],
    [
      'a principal that is no identity',
      'trust',
      trust({ Principal: { AWS: ['111111111111', 'arn:aws:s3:::bucket'] } }),
      'Statement[0].Principal.AWS',
      'found "arn:aws:s3:::bucket"',
    ],
    [
      'a wildcard in a service',
      'topic',
      onSecret({ Principal: { Service: '*.amazonaws.com' } }),
      'Statement[0].Principal.Service',
      'Invalid principal in policy',
    ],
    [
      'a session for all',
      'secret',
      onSecret({ Principal: { AWS: 'arn:aws:sts::111111111111:assumed-role/r/*' } }),
      'Statement[0].Principal.AWS',
      'Invalid principal in policy',
    ],
  ],
  [`${ELEMENTS}_condition_operators.html`]: [
    [
      'Null with IfExists',
      'role',
      readOn({ Condition: { NullIfExists: { 'a:b': 'true' } } }),
      'Statement[0].Condition',
      'found "NullIfExists"',
    ],
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
    ['an Id that is an object', 'managed', { ...of(read), Id: {} }, 'Id', 'found {}'],
    ['a Sid that is an object', 'managed', readOn({ Sid: {} }), 'Statement[0].Sid', 'found {}'],
    [
      'two statements of one Sid',
      'role',
      of({ ...read, Sid: 'a' }, { ...read, Sid: 'a' }),
      'Statement[1].Sid',
      'must be unique',
    ],
    [
      'an Effect in another case',
      'role',
      readOn({ Effect: 'allow' }),
      'Statement[0].Effect',
      'found "allow"',
    ],
    [
      'an action without a vendor',
      'role',
      readOn({ Action: 'GetSecretValue' }),
      'Statement[0].Action',
      'must be prefaced by a vendor',
    ],
    [
      'an empty NotAction',
      'role',
      without('Action', { NotAction: '' }),
      'Statement[0].NotAction',
      'must be prefaced by a vendor',
    ],
    [
      'a vendor with a space',
      'role',
      readOn({ Action: ['kms:Decrypt', 's s:Get'] }),
      'Statement[0].Action',
      'Vendor s s is not valid',
    ],
    [
      'an action with two colons',
      'role',
      readOn({ Action: 'kms:De:crypt' }),
      'Statement[0].Action',
      'can contain only one colon',
    ],
    ['no action', 'role', without('Action'), 'Statement[0].Action', 'must contain actions'],
    ['a list of no actions', 'role', readOn({ Action: [] }), 'Statement[0].Action', 'must contain actions'],
    [
      'Action and NotAction',
      'role',
      readOn({ NotAction: 'kms:*' }),
      'Statement[0].NotAction',
      'either Action or NotAction',
    ],
    [
      'a list in the list of actions',
      'role',
      readOn({ Action: [['kms:*']] }),
      'Statement[0].Action',
      'a list of texts',
    ],
    ['an action that is an object', 'role', readOn({ Action: {} }), 'Statement[0].Action', 'a list of texts'],
    ['no resource', 'role', without('Resource'), 'Statement[0].Resource', 'must contain resources'],
    [
      'a list of no resources',
      'role',
      readOn({ Resource: [] }),
      'Statement[0].Resource',
      'must contain resources',
    ],
    [
      'Resource and NotResource',
      'role',
      readOn({ NotResource: [] }),
      'Statement[0].NotResource',
      'either Resource or NotResource',
    ],
    [
      'a resource that is an object',
      'role',
      readOn({ Resource: { a: '*' } }),
      'Statement[0].Resource',
      'a list of texts',
    ],
    [
      'a resource that is no ARN',
      'role',
      readOn({ Resource: ['*', 'mine'] }),
      'Statement[0].Resource',
      'must be in ARN format or "*"',
    ],
    [
      'an empty resource',
      'role',
      readOn({ Resource: '' }),
      'Statement[0].Resource',
      'must be in ARN format or "*"',
    ],
    [
      'a resource of an unknown partition',
      'role',
      readOn({ Resource: 'arn:other:s3:::b' }),
      'Statement[0].Resource',
      'Partition "other" is not valid',
    ],
    [
      'a resource without a service',
      'role',
      readOn({ Resource: 'arn:aws' }),
      'Statement[0].Resource',
      'vendor must be fully qualified',
    ],
    [
      'a resource of any service',
      'role',
      readOn({ Resource: 'arn:aws:*:eu-west-1:111111111111:x' }),
      'Statement[0].Resource',
      'vendor must be fully qualified',
    ],
    [
      'a resource with five parts, of which one is empty',
      'role',
      readOn({ Resource: 'arn:aws:s3::b' }),
      'Statement[0].Resource',
      'failed legacy parsing',
    ],
    ['a condition that is a list', 'role', readOn({ Condition: [] }), 'Statement[0].Condition', 'found []'],
    [
      'a condition without keys',
      'role',
      readOn({ Condition: { StringEquals: 'a' } }),
      'Statement[0].Condition.StringEquals',
      'found "a"',
    ],
    [
      'a value of a condition that is an object',
      'role',
      readOn({ Condition: { StringEquals: { 'a:b': {} } } }),
      'Statement[0].Condition.StringEquals["a:b"]',
      'found {}',
    ],
    [
      'an unknown operator',
      'role',
      readOn({ Condition: { x: { 'a:b': '1' } } }),
      'Statement[0].Condition',
      'found "x"',
    ],
    [
      'a quantifier with two colons',
      'role',
      readOn({ Condition: { 'ForAnyValue::StringEquals': { 'a:b': '1' } } }),
      'Statement[0].Condition',
      'found "ForAnyValue::StringEquals"',
    ],
  ],
  'https://github.com/hashicorp/terraform/issues/13449': [
    [
      'a trust policy given as the role’s own',
      'role',
      trust(),
      'Statement[0].Principal',
      'Policy document should not specify a principal.',
    ],
  ],
  'https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_policy-validator.html': [
    [
      'a resource in a trust policy',
      'trust',
      trust({ Resource: '*' }),
      'Statement[0].Resource',
      'Has prohibited field Resource',
    ],
    [
      'an action of another service in a trust policy',
      'trust',
      trust({ Action: ['sts:AssumeRole', 'kms:Decrypt'] }),
      'Statement[0].Action',
      'may only specify STS AssumeRole actions',
    ],
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
