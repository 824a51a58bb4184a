import { type Parameter } from '../account';
import { AwsError } from './aws-error';
import { type Input } from './input';
import { type Call, type Operation, type Operations, requireAllowed } from './operation';
import { pageOf } from './paging';

/** @see Systems Manager API reference, API_GetParameter */
const getParameter: Operation = {
  parameters: ['Name', 'WithDecryption'],
  run(input, call) {
    const name = nameOf(input.text('Name'));
    requireAllowed(call, { action: 'ssm:GetParameter', resource: arnOf(call, name) });
    const parameter = call.account.parameters.get(name);
    // AWS sends no message here. The name is not secret and helps to find the mistake.
    if (!parameter) throw new AwsError('ParameterNotFound', `Parameter ${name} not found.`);
    return { Parameter: describe(parameter) };
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
      Parameters: found.map(describe),
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
    return { Parameters: page.items.map(describe), NextToken: page.nextToken };
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
      Parameters: page.items.map(({ arn, name }) => ({
        Name: name,
        ARN: arn,
        Type: 'String',
        Version: 1,
        Tier: 'Standard',
        Policies: [],
        DataType: 'text',
      })),
      NextToken: page.nextToken,
    };
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

function describe({ arn, name, value }: Parameter): object {
  return { Name: name, Type: 'String', Value: value, Version: 1, ARN: arn, DataType: 'text' };
}
