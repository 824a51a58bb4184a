import { type Parameter } from '../account';
import { AwsError } from './aws-error';
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
    const parent = path.endsWith('/') ? path : `${path}/`;
    const isRecursive = input.optionalBoolean('Recursive') ?? false;
    requireAllowed(call, {
      action: 'ssm:GetParametersByPath',
      resource: arnOf(call, path.replace(/(.)\/$/, '$1')),
    });
    const below = [...call.account.parameters.values()]
      .filter(
        ({ name }) => name.startsWith(parent) && (isRecursive || !name.slice(parent.length).includes('/')),
      )
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

/** The Systems Manager operations supported here. */
export const SSM_OPERATIONS: Operations = {
  GetParameter: getParameter,
  GetParameters: getParameters,
  GetParametersByPath: getParametersByPath,
};

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
