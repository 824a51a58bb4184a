import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { denialsIn, isWithoutArn } from '../../../core/calls/aws-errors';
import { StoreError } from '../../../core/secrets/store-error';
import { endingAfter } from './call-timeout';
import { describeSecret } from './secrets-manager-calls';
import { storeErrorOf } from './secrets-manager-error';

/**
 * The failure of a call that names its secret. AWS also denies a name that does not exist, because permissions on ARNs do
 * not cover it. So such a denial is checked with DescribeSecret, which the role may call for every name of the
 * deployment: the failure is `not_found` only if AWS says so.
 * @param error what the call threw
 * @param action the IAM action, such as `secretsmanager:GetSecretValue`
 */
export async function checkedStoreError(
  client: SecretsManagerClient,
  error: unknown,
  action: string,
  secretId: string,
  timeoutMs: number | undefined,
): Promise<StoreError> {
  const failure = storeErrorOf(error, action, secretId);
  if (failure.code !== 'access_denied' || !namesNoArn(error)) return failure;
  try {
    await describeSecret(client, secretId, endingAfter(timeoutMs));
    return failure;
  } catch (reason) {
    return reason instanceof StoreError && reason.code === 'not_found' ? reason : failure;
  }
}

/** Whether a denial names secrets by name only. If a secret exists, the denial names its ARN. */
function namesNoArn(error: unknown): boolean {
  const denials = denialsIn(error instanceof Error ? error.message : '');
  return denials.length > 0 && denials.every(isWithoutArn);
}
