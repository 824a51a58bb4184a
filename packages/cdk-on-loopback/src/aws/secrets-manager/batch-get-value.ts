import { AwsError } from '../aws-error';
import { type Call, type Operation, requireAllowed } from '../operation';
import { findSecret, notFound, requireSecretAllowed } from './find-secret';
import { readValue } from './get-value';

/**
 * Reads the current values of up to 20 secrets. A value that the caller may not read, or that is missing, is an entry in
 * `Errors`.
 * @see API_BatchGetSecretValue (permissions: also GetSecretValue on each secret)
 */
export const batchGetSecretValue: Operation = {
  parameters: ['SecretIdList'],
  run(input, call) {
    const ids = input.optionalTexts('SecretIdList', { min: 1, max: 20 });
    requireAllowed(call, { action: 'secretsmanager:BatchGetSecretValue', resource: '*' });
    if (ids === undefined)
      throw new AwsError('InvalidParameterException', "'SecretIdList' must be provided.");
    const read = ids.map((secretId) => readOne(secretId, call));
    return {
      SecretValues: read.flatMap(({ value }) => value ?? []),
      Errors: read.flatMap(({ error }) => error ?? []),
    };
  },
};

function readOne(secretId: string, call: Call): { value?: object; error?: object } {
  try {
    const secret = findSecret(call, secretId);
    requireSecretAllowed(call, secretId, secret, 'GetSecretValue', {
      'secretsmanager:VersionStage': 'AWSCURRENT',
    });
    if (!secret) throw notFound();
    return { value: readValue(call, secret, undefined, 'AWSCURRENT') };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return { error: { SecretId: secretId, ErrorCode: error.code, Message: error.message } };
  }
}
