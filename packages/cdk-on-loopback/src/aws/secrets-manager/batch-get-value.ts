import { AwsError } from '../aws-error';
import { type Call, type Operation, requireAllowed } from '../operation';
import { pageOf } from '../paging';
import { findSecret, notFound, requireSecretAllowed } from './find-secret';
import { readValue } from './get-value';
import { matchesFilters, readFilters } from './secret-filters';

/**
 * Reads the current values of up to 20 secrets. A value that the caller may not read, or that is missing, is an entry in
 * `Errors`.
 * @see API_BatchGetSecretValue (permissions: also ListSecrets with filters, and GetSecretValue on each secret)
 */
export const batchGetSecretValue: Operation = {
  parameters: ['SecretIdList', 'Filters', 'MaxResults', 'NextToken'],
  run(input, call) {
    const ids = input.optionalTexts('SecretIdList', { min: 1, max: 20 });
    const filters = readFilters(input);
    const size = input.optionalInteger('MaxResults', { min: 1, max: 20 });
    requireAllowed(call, { action: 'secretsmanager:BatchGetSecretValue', resource: '*' });
    if ((ids === undefined) === (filters === undefined))
      throw invalid("Either 'SecretIdList' or 'Filters' must be provided, but not both.");
    if (ids && size !== undefined) throw invalid("'MaxResults' can only be specified with 'Filters'.");
    if (filters) requireAllowed(call, { action: 'secretsmanager:ListSecrets', resource: '*' });
    const found =
      ids ?? [...call.account.secrets.values()].filter(matchesFilters(filters)).map(({ arn }) => arn);
    const page = pageOf(found, size ?? 20, input.optionalText('NextToken'), 'InvalidNextTokenException');
    const read = page.items.map((secretId) => readOne(secretId, call));
    return {
      SecretValues: read.flatMap(({ value }) => value ?? []),
      Errors: read.flatMap(({ error }) => error ?? []),
      NextToken: page.nextToken,
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

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}
