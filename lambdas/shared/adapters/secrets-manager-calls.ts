import {
  DescribeSecretCommand,
  type DescribeSecretResponse,
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  type GetSecretValueResponse,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

import { type Labels } from '../../../core/secrets/former-version';
import { StoreError } from '../../../core/secrets/store-error';
import { type CallOptions } from './call-timeout';
import { storeErrorOf } from './secrets-manager-error';

/** Waits for the answer to a call, and converts its error. @param operation its IAM action without the service @throws {StoreError} */
export async function answerTo<Answer>(
  call: Promise<Answer>,
  operation: string,
  secretId: string,
): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw storeErrorOf(error, `secretsmanager:${operation}`, secretId);
  }
}

/** @throws {StoreError} */
export function describeSecret(
  client: SecretsManagerClient,
  secretId: string,
  options?: CallOptions,
): Promise<DescribeSecretResponse> {
  const call = client.send(new DescribeSecretCommand({ SecretId: secretId }), options);
  return answerTo(call, 'DescribeSecret', secretId);
}

/** @throws {StoreError} */
export function getSecretValue(
  client: SecretsManagerClient,
  version: GetSecretValueCommandInput & { SecretId: string },
  options?: CallOptions,
): Promise<GetSecretValueResponse> {
  return answerTo(
    client.send(new GetSecretValueCommand(version), options),
    'GetSecretValue',
    version.SecretId,
  );
}

/** For `catch`: a secret or version that does not exist is no failure. */
export function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof StoreError) || error.code !== 'not_found') throw error;
}

export function tagsOf({ Tags = [] }: DescribeSecretResponse): Record<string, string> {
  return Object.fromEntries(Tags.map(({ Key, Value }) => [Key!, Value ?? '']));
}

export function labelsOf({ VersionIdsToStages = {} }: DescribeSecretResponse): Labels {
  return new Map(Object.entries(VersionIdsToStages));
}
