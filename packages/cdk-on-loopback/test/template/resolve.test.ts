import { resolve, referencedNames, type ResolveScope } from '../../src/template/resolve';
import { TemplateError } from '../../src/template/template';

const scope: ResolveScope = {
  stackName: 'app',
  pseudoParameters: { 'AWS::Region': 'eu-west-1', 'AWS::AccountId': '111111111111' },
  parameter: (name) => ({ Stage: 'prod' })[name],
  condition: (name) => {
    if (name === 'Yes') return true;
    if (name === 'No') return false;
    throw new TemplateError('invalid_template', `no condition ${name}`);
  },
  mappings: { Sizes: { 'eu-west-1': { small: 128 } } },
  resource: (id) =>
    id === 'Key' ? { ref: 'key-id', attributes: { Arn: 'key-arn', 'Nested.Name': 'nested' } } : undefined,
  ssmParameter: (name) => (name === '/a/b' ? 'from-ssm' : undefined),
};

describe('resolve', () => {
  test.each<[string, unknown, unknown]>([
    ['a literal', { a: [1, true, null, 'x'] }, { a: [1, true, null, 'x'] }],
    ['Ref to a resource', { Ref: 'Key' }, 'key-id'],
    ['Ref to a parameter', { Ref: 'Stage' }, 'prod'],
    ['Ref to a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-west-1'],
    ['a property that is AWS::NoValue', { a: { Ref: 'AWS::NoValue' }, b: 1 }, { b: 1 }],
    ['a list item that is AWS::NoValue', [1, { Ref: 'AWS::NoValue' }], [1]],
    ['Fn::GetAtt as a list', { 'Fn::GetAtt': ['Key', 'Arn'] }, 'key-arn'],
    ['Fn::GetAtt as text', { 'Fn::GetAtt': 'Key.Nested.Name' }, 'nested'],
    [
      'Fn::Sub',
      { 'Fn::Sub': '${AWS::Region}/${Key}/${Key.Arn}/${!Literal}' },
      'eu-west-1/key-id/key-arn/${Literal}',
    ],
    ['Fn::Sub with variables', { 'Fn::Sub': ['${V}/${Stage}', { V: { Ref: 'Key' } }] }, 'key-id/prod'],
    ['Fn::Join', { 'Fn::Join': ['-', ['a', { Ref: 'Stage' }, 3]] }, 'a-prod-3'],
    ['Fn::Select and Fn::Split', { 'Fn::Select': ['1', { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
    ['Fn::If', [{ 'Fn::If': ['Yes', 1, 2] }, { 'Fn::If': ['No', 1, 2] }], [1, 2]],
    ['Fn::If without evaluating the other branch', { 'Fn::If': ['Yes', 1, { Ref: 'Missing' }] }, 1],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['Sizes', { Ref: 'AWS::Region' }, 'small'] }, 128],
    ['Fn::Equals', [{ 'Fn::Equals': ['a', 'a'] }, { 'Fn::Equals': [{ Ref: 'Stage' }, 'a'] }], [true, false]],
    ['Fn::And', { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] }, false],
    ['Fn::Or', { 'Fn::Or': [{ Condition: 'No' }, { 'Fn::Equals': [1, '1'] }] }, true],
    ['Fn::Not', { 'Fn::Not': [{ Condition: 'No' }] }, true],
    [
      'the Condition of a policy statement, unchanged',
      { Condition: { Bool: { a: 'true' } } },
      { Condition: { Bool: { a: 'true' } } },
    ],
    ['a dynamic reference', 'x-{{resolve:ssm:/a/b}}-y', 'x-from-ssm-y'],
    [
      'a dynamic reference with a version, composed by Fn::Join',
      { 'Fn::Join': ['', ['{{resolve:ssm:/a/', 'b:2}}']] },
      'from-ssm',
    ],
  ])('resolves %s', (_, value, expected) => {
    expect(resolve(value, scope, 'Thing')).toEqual(expected);
  });

  test.each<[unknown, RegExp]>([
    [{ 'Fn::Base64': 'x' }, /stack app, Thing\.A\[0\]: unknown intrinsic function Fn::Base64/],
    [{ Ref: 'Missing' }, /Thing\.A\[0\]\.Ref: no resource or parameter is named Missing/],
    [{ 'Fn::GetAtt': ['Key', 'Color'] }, /Key has no attribute Color; supported: Arn/],
    [{ 'Fn::ImportValue': 'x' }, /exports between stacks are not supported/],
    [{ Ref: 'Key', Other: 1 }, /Ref must be the only key/],
    [{ 'Fn::FindInMap': ['Sizes', 'x', 'small'] }, /mapping Sizes has no value for x, small/],
    [{ 'Fn::Select': [3, ['a']] }, /nothing at index 3/],
    ['{{resolve:secretsmanager:x}}', /dynamic reference to secretsmanager .* refused/],
    ['{{resolve:ssm:/x}}', /no SSM parameter is named \/x/],
  ])('rejects %j and says where', (value, message) => {
    expect(() => resolve({ A: [value] }, scope, 'Thing')).toThrow(message);
  });
});

describe('referencedNames', () => {
  test('finds every way to refer to a resource, and no pseudo parameters', () => {
    const value = {
      a: { Ref: 'One' },
      b: [{ 'Fn::GetAtt': ['Two', 'Arn'] }, { 'Fn::GetAtt': 'Three.Arn' }],
      c: { 'Fn::Sub': ['${Four.Arn}${Five}${AWS::Region}${!Not}', { V: { Ref: 'Six' } }] },
    };

    expect([...referencedNames(value)].sort()).toEqual(['Five', 'Four', 'One', 'Six', 'Three', 'Two']);
  });
});
