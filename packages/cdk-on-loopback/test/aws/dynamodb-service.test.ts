import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';

import { type AccessKey } from '../../src/iam/access-keys';
import { provisionResources } from '../../src/testing/stacks';
import { ACCOUNT_ID, expectDenied, LocalAws, refusalOf, REGION } from '../../src/testing/local-aws';
import { signedFetch } from '../../src/testing/signed-fetch';

const TableName = 'states';
const TABLE_ARN = `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${TableName}`;
const PROPERTIES = {
  TableName,
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  BillingMode: 'PAY_PER_REQUEST',
};
type Item = Record<string, AttributeValue>;
const ITEM: Item = { id: { S: 'one' }, version: { N: '7' }, state: { B: Buffer.from([0, 255, 1]) } };

describe('DynamoDB, through the SDK', () => {
  let aws: LocalAws;

  beforeEach(async () => {
    aws = new LocalAws();
    provisionResources({ Table: ['AWS::DynamoDB::Table', PROPERTIES] }, { account: aws.account });
    await aws.start();
  });
  afterEach(() => aws.stop());

  const put = (Item: Item, part: object = {}, key?: AccessKey) =>
    aws.dynamoDb(key).send(new PutItemCommand({ TableName, Item, ...part }));
  const get = async (part: object = {}, key?: AccessKey) =>
    (await aws.dynamoDb(key).send(new GetItemCommand({ TableName, Key: { id: { S: 'one' } }, ...part })))
      .Item;
  const ifAbsent = {
    ConditionExpression: 'attribute_not_exists(#id)',
    ExpressionAttributeNames: { '#id': 'id' },
  };
  const ifVersion = (N: string) => ({
    ConditionExpression: '#version = :read',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':read': { N } },
  });

  it('returns the item that was put, whole, and nothing for another key', async () => {
    await put({ ...ITEM, old: { S: 'gone after the next put' } });
    await put(ITEM);

    const read = await get({ ConsistentRead: true });

    expect({ ...read, state: { B: Buffer.from(read!.state!.B!) } }).toEqual(ITEM);
    expect(await get({ Key: { id: { S: 'other' } } })).toBeUndefined();
    expect(await get({ TableName: TABLE_ARN })).toBeDefined();
  });

  it('writes only if the condition holds', async () => {
    await put(ITEM, ifAbsent);

    for (const condition of [ifAbsent, ifVersion('6')]) {
      const refusal = await refusalOf(put({ ...ITEM, version: { N: '8' } }, condition));
      expect(refusal).toMatchObject({
        name: 'ConditionalCheckFailedException',
        message: 'The conditional request failed',
      });
      expect((await get())?.version).toEqual({ N: '7' });
    }
    await put({ ...ITEM, version: { N: '8' } }, ifVersion('7'));

    expect((await get())?.version).toEqual({ N: '8' });
  });

  it('refuses an item above 400 KB, counted with its names and in bytes', async () => {
    const bytes = 400 * 1024 - Buffer.byteLength('id') - Buffer.byteLength('one') - Buffer.byteLength('b');

    await put({ id: { S: 'one' }, b: { B: new Uint8Array(bytes) } });

    expect(await refusalOf(put({ id: { S: 'one' }, b: { B: new Uint8Array(bytes + 1) } }))).toMatchObject({
      name: 'ValidationException',
      message: 'Item size has exceeded the maximum allowed size',
    });
  });

  const expectInvalid = async (refused: Promise<unknown>, message: RegExp) => {
    const refusal = await refusalOf(refused);

    expect(refusal.name).toBe('ValidationException');
    expect(refusal.message).toMatch(message);
  };

  const unsupported = (name: string) => new RegExp(`does not support the parameter ${name}`);
  const undefinedName = { ...ifAbsent, ConditionExpression: 'attribute_not_exists(#x)' };
  const undefinedValue = { ...ifVersion('7'), ExpressionAttributeValues: undefined };
  const unusedValue = { ...ifAbsent, ExpressionAttributeValues: { ':v': { S: 'x' } } };
  const reserved = { ConditionExpression: 'attribute_not_exists(id)' };
  const other = { ...ifAbsent, ConditionExpression: 'attribute_exists(#id)' };
  it.each<[string, object, RegExp]>([
    ['another condition', other, /supports only the conditions/],
    ['a name that might be reserved', reserved, /supports only the conditions/],
    ['an undefined name', undefinedName, /not defined; attribute name: #x/],
    ['an undefined value', undefinedValue, /not defined; attribute value: :read/],
    ['an unused value', unusedValue, /unused in expressions: keys: {:v}/],
    [
      'names alone',
      { ExpressionAttributeNames: { '#id': 'id' } },
      /only be specified when using expressions/,
    ],
    ['another parameter', { ReturnValues: 'ALL_OLD' }, unsupported('ReturnValues')],
  ])('refuses %s', (_, part, message) => expectInvalid(put(ITEM, part), message));

  it.each<[string, Item, RegExp]>([
    ['an item without its key', { other: { S: 'one' } }, /Missing the key id in the item/],
    ['a key of another type', { id: { N: '1' } }, /expected: S actual: N/],
    ['an empty key', { id: { S: '' } }, /cannot contain an empty string value. Key: id/],
    ['a list', { ...ITEM, list: { L: [] } }, unsupported('L')],
  ])('refuses %s', (_, item, message) => expectInvalid(put(item), message));

  it('refuses a key that is not that of the table, and a table that does not exist', async () => {
    const refusal = await refusalOf(get({ Key: { id: { S: 'one' }, more: { S: 'x' } } }));
    expect(refusal).toMatchObject({
      name: 'ValidationException',
      message: 'The provided key element does not match the schema',
    });
    expect(await refusalOf(get({ TableName: 'none' }))).toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('requires the right to the operation and the table', async () => {
    const key = aws.roleKey({ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: TABLE_ARN });

    expect(await get({}, key)).toBeUndefined();
    await expectDenied(put(ITEM, {}, key), 'dynamodb:PutItem', TABLE_ARN);
    await expectDenied(
      get({ TableName: 'other' }, key),
      'dynamodb:GetItem',
      `${TABLE_ARN.replace(TableName, 'other')}`,
    );
  });

  it('speaks version 1.0 of the protocol', async () => {
    const answer = await signedFetch(`${aws.url}/`, aws.administrator, 'dynamodb', {
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.GetItem' },
      body: JSON.stringify({ TableName, Key: { id: { S: 'one' } } }),
    });

    expect(answer.headers.get('content-type')).toBe('application/x-amz-json-1.0');
    expect(await answer.json()).toEqual({});
  });
});

test.each([
  ['a sort key', { KeySchema: [...PROPERTIES.KeySchema, { AttributeName: 'b', KeyType: 'RANGE' }] }],
  ['provisioned capacity', { BillingMode: 'PROVISIONED' }],
  ['a key without a definition', { AttributeDefinitions: [{ AttributeName: 'b', AttributeType: 'S' }] }],
])('a table with %s cannot be deployed', (_, part) => {
  expect(() => provisionResources({ Table: ['AWS::DynamoDB::Table', { ...PROPERTIES, ...part }] })).toThrow(
    /Table/,
  );
});
