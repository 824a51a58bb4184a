import { type Secret } from '../../account';
import { requireAllowed } from '../../iam/authorize';
import { type RequestContext } from '../../iam/context-keys';
import { AwsError, invalidRequest } from '../aws-error';
import { type Input } from '../input';
import { type Call, type Operations } from '../operation';
import { findByName, newSecretArn, openSecret, requireNotDeleted, requireValidName } from './find-secret';
import { changeKey, DEFAULT_KEY, keyArnOf, requireKeyAccess } from './key-access';
import { readReplicaRegions, replicaContext } from './replicate-secret';
import { replicateTo, replicationStatus, requirePrimary } from './replication';
import { readVersionId } from './secret-versions';
import { readTags, tagContext } from './tags';
import { type NewValue, putVersion, readNewValue } from './values';

/** The operations that create secrets, and change their descriptions and keys. */
export const CREATE_AND_UPDATE_OPERATIONS: Operations = {
  /**
   * Creates a secret, with a first version if the request has a value. A repeated request with the same token and value has
   * no effect. Managed external secrets are not supported.
   */
  CreateSecret: {
    parameters: [
      'Name',
      'ClientRequestToken',
      'Description',
      'KmsKeyId',
      'SecretString',
      'SecretBinary',
      'Tags',
      'AddReplicaRegions',
      'ForceOverwriteReplicaSecret',
    ],
    run(input, call) {
      const { secret, versionId, value, replicaRegions, overwritesReplicas } = readCreation(input, call);
      requireCreationAllowed(input, call, secret, replicaContext(replicaRegions, overwritesReplicas));
      const existing = findByName(call, secret.name);
      if (existing) return repeatCreation(existing, versionId, value, call);
      if (value) putVersion(secret, versionId, value, ['AWSCURRENT'], call);
      call.account.secrets.set(secret.arn, secret);
      for (const { region, kmsKeyArn } of replicaRegions)
        replicateTo(call.account, secret, region, kmsKeyArn, overwritesReplicas);
      const ReplicationStatus = secret.replicas && replicationStatus(secret.replicas);
      return { ARN: secret.arn, Name: secret.name, VersionId: value && versionId, ReplicationStatus };
    },
  },

  /** Changes the description and the key, and adds a version if the request has a value. */
  UpdateSecret: {
    parameters: ['SecretId', 'ClientRequestToken', 'Description', 'KmsKeyId', 'SecretString', 'SecretBinary'],
    run(input, call) {
      const versionId = readVersionId(input);
      const value = readNewValue(input);
      const { description, keyId } = readMetadata(input);
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
  },
};

/** Reads a request of CreateSecret: the secret, without a version yet, and what to do with it. */
function readCreation(input: Input, call: Call) {
  const versionId = readVersionId(input);
  const name = input.text('Name', { max: 512 });
  requireValidName(name);
  const value = readNewValue(input);
  const tags = readTags(input);
  const replicaRegions = readReplicaRegions(input, call) ?? [];
  const overwritesReplicas = input.optionalBoolean('ForceOverwriteReplicaSecret') ?? false;
  const { description, keyId } = readMetadata(input);
  const secret: Secret = {
    arn: newSecretArn(call.account, name),
    name,
    description: description || undefined,
    kmsKeyArn: keyArnOf(call.account, keyId),
    tags,
    createdAtMs: call.clock.nowMs(),
    lastChangedAtMs: call.clock.nowMs(),
    versions: new Map(),
  };
  return { secret, versionId, value, replicaRegions, overwritesReplicas };
}

/**
 * Requires secretsmanager:CreateSecret and, if the request has tags, secretsmanager:TagResource.
 * @see Service Authorization Reference, list_awssecretsmanager (CreateSecret)
 */
function requireCreationAllowed(
  input: Input,
  call: Call,
  { arn, name, tags }: Secret,
  replicas: RequestContext,
): void {
  const context = {
    'secretsmanager:Name': name,
    ...metadataContext(input, call),
    ...tagContext(tags),
    ...(input.has('AddReplicaRegions') && replicas),
  };
  requireAllowed(call, { action: 'secretsmanager:CreateSecret', resource: arn, context });
  if (input.has('Tags'))
    requireAllowed(call, { action: 'secretsmanager:TagResource', resource: arn, context: tagContext(tags) });
}

function readMetadata(input: Input): { description: string | undefined; keyId: string | undefined } {
  return {
    description: input.optionalText('Description', { min: 0, max: 2048 }),
    keyId: input.optionalText('KmsKeyId', { min: 0, max: 2048 }),
  };
}

/** The condition keys for the description and the key in a request of CreateSecret or UpdateSecret. */
function metadataContext(input: Input, { account }: Call): RequestContext {
  const { description, keyId } = readMetadata(input);
  return {
    'secretsmanager:Description': description,
    'secretsmanager:KmsKeyId': keyId,
    'secretsmanager:KmsKeyArn': keyArnOf(account, keyId),
  };
}

/** Answers a request for a name that exists: only an exact repetition succeeds. */
function repeatCreation(
  existing: Secret,
  versionId: string,
  value: NewValue | undefined,
  call: Call,
): object {
  const { arn, name, deletedAtMs, versions } = existing;
  if (deletedAtMs !== undefined) {
    throw invalidRequest(
      "You can't create this secret because a secret with this name is already scheduled for deletion.",
    );
  }
  if (!value || !versions.has(versionId)) {
    throw new AwsError(
      'ResourceExistsException',
      `The operation failed because the secret ${name} already exists.`,
    );
  }
  putVersion(existing, versionId, value, ['AWSCURRENT'], call);
  return { ARN: arn, Name: name, VersionId: versionId };
}
