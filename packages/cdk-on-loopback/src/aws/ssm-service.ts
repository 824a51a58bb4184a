import { createHash } from 'node:crypto';

import { type Parameter } from '../account';
import { requireAllowed } from '../iam/authorize';
import { accessDenied, AwsError, validationError } from './aws-error';
import { type Input } from './input';
import { type Call, type Operations } from './operation';
import { keyArnOf, keyDenial } from './secrets-manager/key-access';

const TYPES = ['String', 'SecureString'] as const;
const TIERS = ['Standard', 'Advanced'] as const;
/** The account's own key, which everyone in the account may use through Parameter Store. */
const DEFAULT_KEY = 'alias/aws/ssm';

export const SSM_OPERATIONS: Operations = {
  GetParameter: {
    parameters: ['Name', 'WithDecryption'],
    run(input, call) {
      const name = nameOf(input.text('Name'));
      requireAllowed(call, { action: 'ssm:GetParameter', resource: arnOf(call, name) });
      const parameter = call.account.parameters.get(name);
      // AWS sends no message here. The name is not secret and helps to find the mistake.
      if (!parameter) throw new AwsError('ParameterNotFound', `Parameter ${name} not found.`);
      return { Parameter: describeParameter(parameter, input, call) };
    },
  },

  GetParameters: {
    parameters: ['Names', 'WithDecryption'],
    run(input, call) {
      const names = (input.optionalTexts('Names', { min: 1, max: 10 }) ?? []).map(nameOf);
      for (const name of names)
        requireAllowed(call, { action: 'ssm:GetParameters', resource: arnOf(call, name) });
      const parameters = names.flatMap((name) => call.account.parameters.get(name) ?? []);
      return {
        Parameters: parameters.map((parameter) => describeParameter(parameter, input, call)),
        InvalidParameters: names.filter((name) => !call.account.parameters.has(name)),
      };
    },
  },

  /** Creates or overwrites a parameter. A SecureString without `KeyId` gets the account's own key, even if it had another. */
  PutParameter: {
    parameters: ['Name', 'Value', 'Type', 'KeyId', 'Overwrite', 'Tier', 'DataType'],
    run(input, call) {
      const { account } = call;
      const name = nameOf(input.text('Name'));
      const arn = arnOf(call, name);
      requireAllowed(call, { action: 'ssm:PutParameter', resource: arn });
      const existing = account.parameters.get(name);
      if (existing && input.optionalBoolean('Overwrite') !== true) {
        throw new AwsError(
          'ParameterAlreadyExists',
          'The parameter already exists. To overwrite this value, set the overwrite option in the request to true.',
        );
      }
      const type = readType(input, existing);
      const tier = readTier(input, existing);
      const keyId = input.optionalText('KeyId');
      const kmsKeyArn = keyId === DEFAULT_KEY ? undefined : keyArnOf(account, keyId);
      const parameter: Parameter = {
        arn,
        name,
        value: input.text('Value', { max: 8192 }),
        type,
        tier,
        ...(kmsKeyArn !== undefined && { kmsKeyArn }),
        version: existing ? (existing.version ?? 1) + 1 : 1,
      };
      requireKey(call, parameter, tier === 'Advanced' ? 'kms:GenerateDataKey' : 'kms:Encrypt');
      account.parameters.set(name, parameter);
      return { Version: parameter.version, Tier: tier };
    },
  },
};

function readType(input: Input, existing: Parameter | undefined): NonNullable<Parameter['type']> {
  const existingType = existing && (existing.type ?? 'String');
  const type = oneOf(TYPES, input.optionalText('Type')) ?? existingType;
  if (type === undefined) throw validationError('A parameter type is required when you create a parameter.');
  if (type === (existingType ?? type)) return type;
  throw new AwsError('HierarchyTypeMismatchException', 'Parameter Store does not support changing a type.');
}

function readTier(input: Input, existing: Parameter | undefined): NonNullable<Parameter['tier']> {
  const tier = oneOf(TIERS, input.optionalText('Tier')) ?? 'Standard';
  if (tier === 'Advanced' || existing?.tier !== 'Advanced') return tier;
  throw validationError(
    'This parameter uses the advanced-parameter tier. You can’t downgrade it to the standard-parameter tier.',
  );
}

function nameOf(nameOrArn: string): string {
  const path = /^arn:[^:]+:ssm:[^:]*:[^:]*:parameter\/(.+)$/.exec(nameOrArn)?.[1];
  return path === undefined ? nameOrArn : `/${path}`;
}

function arnOf({ account }: Call, name: string): string {
  return account.arn('ssm', `parameter/${name.replace(/^\//, '')}`);
}

/** @throws {AwsError} ValidationException, for another word */
function oneOf<Word extends string>(words: readonly Word[], found: string | undefined): Word | undefined {
  const word = words.find((each) => each === found);
  if (found === undefined || word !== undefined) return word;
  throw validationError(`the local endpoint supports ${words.join(', ')}`);
}

/** A parameter, with the value of a SecureString encrypted unless `WithDecryption`, which requires the use of its key. */
function describeParameter(parameter: Parameter, input: Input, call: Call): object {
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
  if (denial !== undefined) throw accessDenied(denial);
}
