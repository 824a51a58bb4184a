import { createHash } from 'node:crypto';

import { type Parameter } from '../account';
import { AwsError } from './aws-error';
import { type Input } from './input';
import { type Call, type Operation, type Operations, requireAllowed } from './operation';
import { pageOf } from './paging';
import { keyArnOf, keyDenial } from './secrets-manager/key-access';

const TYPES = ['String', 'SecureString'] as const;
const TIERS = ['Standard', 'Advanced'] as const;
/** The account's own key, which everyone in the account may use through Parameter Store. */
const DEFAULT_KEY = 'alias/aws/ssm';

/** @see Systems Manager API reference, API_GetParameter */
const getParameter: Operation = {
  parameters: ['Name', 'WithDecryption'],
  run(input, call) {
    const name = nameOf(input.text('Name'));
    requireAllowed(call, { action: 'ssm:GetParameter', resource: arnOf(call, name) });
    const parameter = call.account.parameters.get(name);
    // AWS sends no message here. The name is not secret and helps to find the mistake.
    if (!parameter) throw new AwsError('ParameterNotFound', `Parameter ${name} not found.`);
    return { Parameter: read(parameter, input, call) };
  },
};

/** @see Systems Manager API reference, API_GetParameters */
const getParameters: Operation = {
  parameters: ['Names', 'WithDecryption'],
  run(input, call) {
    const names = (input.optionalTexts('Names', { min: 1, max: 10 }) ?? []).map(nameOf);
    for (const name of names)
      requireAllowed(call, { action: 'ssm:GetParameters', resource: arnOf(call, name) });
    const found = names.flatMap((name) => call.account.parameters.get(name) ?? []);
    return {
      Parameters: found.map((parameter) => read(parameter, input, call)),
      InvalidParameters: names.filter((name) => !call.account.parameters.has(name)),
    };
  },
};

/** @see Systems Manager API reference, API_GetParametersByPath */
const getParametersByPath: Operation = {
  parameters: ['Path', 'Recursive', 'WithDecryption', 'MaxResults', 'NextToken'],
  run(input, call) {
    const path = input.text('Path');
    if (!path.startsWith('/'))
      throw new AwsError('ValidationException', 'The parameter path must begin with a slash.');
    const isRecursive = input.optionalBoolean('Recursive') ?? false;
    requireAllowed(call, {
      action: 'ssm:GetParametersByPath',
      resource: arnOf(call, path.replace(/(.)\/$/, '$1')),
    });
    const below = [...call.account.parameters.values()]
      .filter(({ name }) => isBelow(name, path, isRecursive))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const page = pageOf(
      below,
      input.optionalInteger('MaxResults', { min: 1, max: 10 }) ?? 10,
      input.optionalText('NextToken'),
      'InvalidNextToken',
    );
    return {
      Parameters: page.items.map((parameter) => read(parameter, input, call)),
      NextToken: page.nextToken,
    };
  },
};

/**
 * Returns parameters without their values. Filters: `Name`, `Path` and `tag:KEY`; several must all match.
 * @see Systems Manager API reference, API_DescribeParameters, API_ParameterStringFilter
 */
const describeParameters: Operation = {
  parameters: ['ParameterFilters', 'MaxResults', 'NextToken'],
  run(input, call) {
    const { region, accountId, parameters, tags } = call.account;
    requireAllowed(call, {
      action: 'ssm:DescribeParameters',
      resource: `arn:aws:ssm:${region}:${accountId}:*`,
    });
    const filters = (input.optionalInputs('ParameterFilters') ?? []).map(readFilter);
    const found = [...parameters.values()]
      .filter((parameter) => filters.every((matches) => matches(parameter, tags.get(parameter.arn) ?? {})))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const size = input.optionalInteger('MaxResults', { min: 1, max: 50 }) ?? 50;
    const page = pageOf(found, size, input.optionalText('NextToken'), 'InvalidNextToken');
    return {
      Parameters: page.items.map(({ arn, name, type, kmsKeyArn, tier, version }) => ({
        Name: name,
        ARN: arn,
        Type: type ?? 'String',
        ...(type === 'SecureString' && { KeyId: kmsKeyArn ?? DEFAULT_KEY }),
        Version: version ?? 1,
        Tier: tier ?? 'Standard',
        Policies: [],
        DataType: 'text',
      })),
      NextToken: page.nextToken,
    };
  },
};

/**
 * Creates a parameter, or overwrites one. Without a key, a SecureString gets the account's own, also one that had another.
 * @see Systems Manager API reference, API_PutParameter
 */
const putParameter: Operation = {
  parameters: ['Name', 'Value', 'Type', 'KeyId', 'Overwrite', 'Tier', 'DataType'],
  run(input, call) {
    const { account } = call;
    const name = nameOf(input.text('Name'));
    const arn = arnOf(call, name);
    requireAllowed(call, { action: 'ssm:PutParameter', resource: arn });
    const known = account.parameters.get(name);
    if (known && input.optionalBoolean('Overwrite') !== true) {
      throw new AwsError(
        'ParameterAlreadyExists',
        'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
      );
    }
    const type = oneOf(TYPES, input.optionalText('Type')) ?? known?.type ?? (known ? 'String' : undefined);
    if (type === undefined)
      throw new AwsError('ValidationException', 'A parameter type is required when you create a parameter.');
    if (known && type !== (known.type ?? 'String'))
      throw new AwsError(
        'HierarchyTypeMismatchException',
        'Parameter Store does not support changing a type.',
      );
    const tier = oneOf(TIERS, input.optionalText('Tier')) ?? 'Standard';
    if (known?.tier === 'Advanced' && tier === 'Standard') {
      throw new AwsError(
        'ValidationException',
        'This parameter uses the advanced-parameter tier. You can’t downgrade it to the standard-parameter tier.',
      );
    }
    const keyId = input.optionalText('KeyId');
    const kmsKeyArn = keyId === DEFAULT_KEY ? undefined : keyArnOf(account, keyId);
    const parameter: Parameter = {
      ...{ arn, name, value: input.text('Value', { max: 8192 }), type, tier },
      ...(kmsKeyArn !== undefined && { kmsKeyArn }),
      version: (known?.version ?? (known ? 1 : 0)) + 1,
    };
    requireKey(call, parameter, tier === 'Advanced' ? 'kms:GenerateDataKey' : 'kms:Encrypt');
    account.parameters.set(name, parameter);
    return { Version: parameter.version, Tier: tier };
  },
};

/** @see Systems Manager API reference, API_DeleteParameter */
const deleteParameter: Operation = {
  parameters: ['Name'],
  run(input, call) {
    const name = nameOf(input.text('Name'));
    requireAllowed(call, { action: 'ssm:DeleteParameter', resource: arnOf(call, name) });
    if (call.account.parameters.delete(name)) return {};
    throw new AwsError('ParameterNotFound', `Parameter ${name} not found.`);
  },
};

/** The Systems Manager operations supported here. */
export const SSM_OPERATIONS: Operations = {
  DeleteParameter: deleteParameter,
  DescribeParameters: describeParameters,
  GetParameter: getParameter,
  GetParameters: getParameters,
  GetParametersByPath: getParametersByPath,
  PutParameter: putParameter,
};

/** Whether a parameter is below a path: directly, or at any depth. */
function isBelow(name: string, path: string, isRecursive: boolean): boolean {
  const parent = path.endsWith('/') ? path : `${path}/`;
  return name.startsWith(parent) && (isRecursive || !name.slice(parent.length).includes('/'));
}

type Comparison = (name: string, value: string) => boolean;

/** How a filter compares a parameter's name with a value, by its key and option. The first option is the default. */
const COMPARISONS = new Map<string, Map<string, Comparison>>([
  [
    'Name',
    new Map<string, Comparison>([
      ['Equals', (name, value) => name === value],
      ['BeginsWith', (name, value) => name.startsWith(value)],
      ['Contains', (name, value) => name.includes(value)],
    ]),
  ],
  [
    'Path',
    new Map<string, Comparison>([
      ['OneLevel', (name, value) => isBelow(name, value, false)],
      ['Recursive', (name, value) => isBelow(name, value, true)],
    ]),
  ],
]);

type Matcher = (parameter: Parameter, tags: Readonly<Record<string, string>>) => boolean;

/** @throws {AwsError} InvalidFilterKey, InvalidFilterOption */
function readFilter(filter: Input): Matcher {
  const key = filter.text('Key');
  const option = filter.optionalText('Option');
  const values = filter.optionalTexts('Values', { max: 50 }) ?? [];
  const [, tagKey] = /^tag:(.+)$/.exec(key) ?? [];
  if (tagKey !== undefined) {
    return (_, { [tagKey]: value }) => value !== undefined && (values.length === 0 || values.includes(value));
  }
  const options = COMPARISONS.get(key);
  const compare = options?.get(option ?? [...options.keys()][0]!);
  if (compare) return ({ name }) => values.some((value) => compare(name, value));
  throw new AwsError(
    options ? 'InvalidFilterOption' : 'InvalidFilterKey',
    'the local endpoint supports Name (Equals, BeginsWith, Contains), Path (OneLevel, Recursive) and tag:KEY',
  );
}

function nameOf(nameOrArn: string): string {
  const path = /^arn:[^:]+:ssm:[^:]*:[^:]*:parameter\/(.+)$/.exec(nameOrArn)?.[1];
  return path === undefined ? nameOrArn : `/${path}`;
}

function arnOf({ account }: Call, name: string): string {
  return `arn:aws:ssm:${account.region}:${account.accountId}:parameter/${name.replace(/^\//, '')}`;
}

/** @throws {AwsError} ValidationException, for another word */
function oneOf<Word extends string>(words: readonly Word[], found: string | undefined): Word | undefined {
  const word = words.find((each) => each === found);
  if (found === undefined || word !== undefined) return word;
  throw new AwsError('ValidationException', `the local endpoint supports ${words.join(', ')}`);
}

/** A parameter with its value, which is encrypted unless the caller asks for it and may decrypt it. */
function read(parameter: Parameter, input: Input, call: Call): object {
  const { arn, name, value, type = 'String', version = 1 } = parameter;
  const isPlain = type === 'String' || input.optionalBoolean('WithDecryption') === true;
  if (isPlain) requireKey(call, parameter, 'kms:Decrypt');
  const shown = isPlain ? value : createHash('sha256').update(value).digest('base64');
  return { Name: name, Type: type, Value: shown, Version: version, ARN: arn, DataType: 'text' };
}

/**
 * Checks that the caller may use the customer key of a SecureString through Parameter Store.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/services-parameter-store.html
 */
function requireKey(
  call: Call,
  { arn, type, kmsKeyArn }: Parameter,
  action: 'kms:Decrypt' | 'kms:Encrypt' | 'kms:GenerateDataKey',
): void {
  if (type !== 'SecureString' || kmsKeyArn === undefined) return;
  const denial = keyDenial(call, kmsKeyArn, [action], {
    'kms:ViaService': `ssm.${call.account.region}.amazonaws.com`,
    'kms:EncryptionContext:PARAMETER_ARN': arn,
    'kms:EncryptionContextKeys': ['PARAMETER_ARN'],
  });
  if (denial !== undefined) throw new AwsError('AccessDeniedException', denial);
}
