import { type Operation } from '../operation';
import { metadataContext } from './create-secret';
import { openSecret, requireNotDeleted } from './find-secret';
import { changeKey, DEFAULT_KEY, keyArnOf, requireKeyAccess } from './key-access';
import { putVersion, readNewValue } from './put-value';
import { requirePrimary } from './replication';
import { readVersionId } from './secret-versions';

/**
 * Adds a version if it gets a value, and changes the description and the key.
 * @see API_UpdateSecret
 */
export const updateSecret: Operation = {
  parameters: ['SecretId', 'ClientRequestToken', 'Description', 'KmsKeyId', 'SecretString', 'SecretBinary'],
  run(input, call) {
    const versionId = readVersionId(input);
    const value = readNewValue(input);
    const description = input.optionalText('Description', { min: 0, max: 2048 });
    const keyId = input.optionalText('KmsKeyId', { min: 0, max: 2048 });
    const secret = openSecret(input, call, 'UpdateSecret', metadataContext(input, call));
    requireNotDeleted(secret);
    if (value || description !== undefined) requirePrimary(secret);
    const key = keyId === undefined ? secret.kmsKeyArn : keyArnOf(call.account, keyId);
    if (value) putVersion(secret, versionId, value, ['AWSCURRENT'], call, key ?? DEFAULT_KEY);
    else if (keyId !== undefined)
      requireKeyAccess(call, secret, versionId, ['kms:GenerateDataKey', 'kms:Decrypt'], key ?? DEFAULT_KEY);
    if (key !== secret.kmsKeyArn) changeKey(call, secret, key);
    if (description !== undefined) secret.description = description || undefined;
    secret.lastChangedAtMs = call.clock.nowMs();
    return { ARN: secret.arn, Name: secret.name, VersionId: value && versionId };
  },
};
