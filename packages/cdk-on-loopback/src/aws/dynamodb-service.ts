import { isDeepStrictEqual } from 'node:util';
import { type AttributeValue, type Table, type TableItem } from '../account';
import { requireAllowed } from '../iam/authorize';
import { AwsError, resourceNotFound, validationError } from './aws-error';
import { type Input } from './input';
import { type Call, type Operations } from './operation';

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html (item size) */
const MAX_ITEM_BYTES = 400 * 1024;
const TYPES = ['S', 'N', 'B'] as const;
const NUMBER = /^-?\d{1,38}$/;
const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;
const ABSENT = /^\s*attribute_not_exists\s*\(\s*([^\s()]+)\s*\)\s*$/;
const EQUAL = /^\s*([^\s()=]+)\s*=\s*(:\w+)\s*$/;

export const DYNAMODB_OPERATIONS: Operations = {
  /** @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html */
  GetItem: {
    // Every read here is consistent, which DynamoDB does not promise without ConsistentRead.
    parameters: ['TableName', 'Key', 'ConsistentRead'],
    run(input, call) {
      const table = openTable(input, call, 'GetItem');
      const key = attributesOf(input, 'Key');
      const value = key[table.hashKey.name];
      if (Object.keys(key).length !== 1 || value?.[table.hashKey.type] === undefined)
        throw validationError('The provided key element does not match the schema');
      requireKeyValue(table, value);
      const item = table.items.get(JSON.stringify(value));
      return item ? { Item: item } : {};
    },
  },

  /** Writes an item whole. Supports the conditions `attribute_not_exists(#name)` and `#name = :value`. */
  PutItem: {
    parameters: [
      'TableName',
      'Item',
      'ConditionExpression',
      'ExpressionAttributeNames',
      'ExpressionAttributeValues',
    ],
    run(input, call) {
      const table = openTable(input, call, 'PutItem');
      const item = attributesOf(input, 'Item');
      const { name, type } = table.hashKey;
      const value = item[name];
      const wrong = 'One or more parameter values were invalid:';
      if (!value) throw validationError(`${wrong} Missing the key ${name} in the item`);
      const actualType = Object.keys(value)[0];
      if (actualType !== type)
        throw validationError(
          `${wrong} Type mismatch for key ${name} expected: ${type} actual: ${actualType}`,
        );
      requireKeyValue(table, value);
      if (sizeOf(item) > MAX_ITEM_BYTES)
        throw validationError('Item size has exceeded the maximum allowed size');
      const holds = conditionOf(input);
      const key = JSON.stringify(value);
      if (!holds(table.items.get(key) ?? {}))
        throw new AwsError('ConditionalCheckFailedException', 'The conditional request failed');
      table.items.set(key, item);
      return {};
    },
  },
};

/** @throws {AwsError} AccessDeniedException also for a table that does not exist */
function openTable(input: Input, call: Call, action: string): Table {
  const given = input.text('TableName', { max: 1024 });
  const arn = given.startsWith('arn:') ? given : call.account.arn('dynamodb', `table/${given}`);
  requireAllowed(call, { action: `dynamodb:${action}`, resource: arn });
  const table = call.account.tables.get(arn);
  if (!table) throw resourceNotFound('Requested resource not found');
  return table;
}

function attributesOf(input: Input, name: string): TableItem {
  return Object.fromEntries([...input.map(name)].map(([each, value]) => [each, valueOf(each, value)]));
}

function valueOf(name: string, input: Input): AttributeValue {
  input.refuseOtherThan(TYPES);
  const types = TYPES.filter((type) => input.has(type));
  if (types.length !== 1)
    throw validationError(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  const type = types[0]!;
  const text = input.text(type, { min: 0 });
  if (type === 'N' && !NUMBER.test(text))
    throw validationError(
      `the local endpoint supports only whole numbers of up to 38 digits; ${name} is another`,
    );
  if (type === 'B' && !BASE64.test(text))
    throw new AwsError('SerializationException', `the value of ${name} is not base64`);
  return { [type]: text };
}

function requireKeyValue({ hashKey: { name, type } }: Table, value: AttributeValue): void {
  if (value[type] === '') {
    throw validationError(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. Key: ${name}`,
    );
  }
}

/** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
function sizeOf(item: TableItem): number {
  const sizes = Object.entries(item).map(([name, { S, N, B }]) => {
    const valueBytes =
      S !== undefined
        ? Buffer.byteLength(S)
        : N !== undefined
          ? Math.ceil(N.length / 2) + 1
          : Buffer.from(B ?? '', 'base64').length;
    return Buffer.byteLength(name) + valueBytes;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Reads the condition of a write.
 * @throws {AwsError} ValidationException for a condition in another form, and for undefined or unused placeholders
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html
 */
function conditionOf(input: Input): (item: TableItem) => boolean {
  const condition = input.optionalText('ConditionExpression');
  const names = input.optionalInput('ExpressionAttributeNames');
  const values = input.has('ExpressionAttributeValues')
    ? attributesOf(input, 'ExpressionAttributeValues')
    : {};
  if (condition === undefined) {
    refusePlaceholders(input);
    return () => true;
  }
  const [, absent] = ABSENT.exec(condition) ?? [];
  const [, compared, placeholder] = EQUAL.exec(condition) ?? [];
  const name = attributeNamed(absent ?? compared, names);
  const unused = Object.keys(values).find((each) => each !== placeholder);
  if (unused !== undefined)
    throw validationError(
      `Value provided in ExpressionAttributeValues unused in expressions: keys: {${unused}}`,
    );
  if (placeholder === undefined) return (item) => item[name] === undefined;
  const expected = values[placeholder];
  if (!expected) {
    throw validationError(
      `Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
    );
  }
  return (item) => isDeepStrictEqual(item[name], expected);
}

function refusePlaceholders(input: Input): void {
  for (const parameter of ['ExpressionAttributeNames', 'ExpressionAttributeValues'])
    if (input.has(parameter))
      throw validationError(`${parameter} can only be specified when using expressions`);
}

/** The attribute for the only placeholder of a condition, such as `#name`. A condition of another form has none. */
function attributeNamed(placeholder: string | undefined, names: Input | undefined): string {
  if (!placeholder?.startsWith('#'))
    throw validationError(
      'the local endpoint supports only the conditions attribute_not_exists(#name) and #name = :value',
    );
  const name = names?.optionalText(placeholder);
  if (name === undefined) {
    throw validationError(
      `Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
    );
  }
  names?.refuseOtherThan([placeholder]);
  return name;
}
