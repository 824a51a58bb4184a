import {
  InvalidParameterException,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
  TagResourceCommand,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';

import {
  type CredentialVersions,
  type DescribedSecret,
  type LabelMove,
  type LabelOutcome,
  type PendingValue,
  type ReadVersion,
} from '../ports';
import { endingAfter } from './call-timeout';
import {
  answerTo,
  describeSecret,
  getSecretValue,
  labelsOf,
  tagsOf,
  undefinedIfMissing,
} from './secrets-manager-calls';
import { storeErrorOf } from './secrets-manager-error';
import { versionTimes } from './version-times';

/** Credential secrets in Secrets Manager. */
export class SecretsManagerCredentialVersions implements CredentialVersions {
  private readonly client: SecretsManagerClient;

  constructor(client: SecretsManagerClient) {
    this.client = client;
  }

  async describe(secretId: string, timeoutMs?: number): Promise<DescribedSecret> {
    const secret = await describeSecret(this.client, secretId, endingAfter(timeoutMs));
    return {
      arn: secret.ARN!,
      name: secret.Name!,
      tags: tagsOf(secret),
      labels: labelsOf(secret),
      changedAtMs: secret.LastChangedDate?.getTime(),
    };
  }

  async read(secretId: string, versionId: string, timeoutMs?: number): Promise<ReadVersion | undefined> {
    const version = { SecretId: secretId, VersionId: versionId };
    // AWS gives the same error for a version that a rotation has not filled yet.
    const read = await getSecretValue(this.client, version, endingAfter(timeoutMs)).catch(undefinedIfMissing);
    return read && { value: read.SecretString, createdAtMs: read.CreatedDate?.getTime() ?? 0 };
  }

  async tag(secretId: string, tags: Readonly<Record<string, string>>, timeoutMs?: number): Promise<void> {
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    const call = this.client.send(
      new TagResourceCommand({ SecretId: secretId, Tags }),
      endingAfter(timeoutMs),
    );
    await answerTo(call, 'TagResource', secretId);
  }

  async createdAtMs(secretId: string, versionId: string, timeoutMs?: number): Promise<number | undefined> {
    return (await versionTimes(this.client, secretId, endingAfter(timeoutMs))).get(versionId);
  }

  async putPending(
    secretId: string,
    { versionId, value, rotationToken }: PendingValue,
    timeoutMs?: number,
  ): Promise<void> {
    try {
      await this.client.send(
        new PutSecretValueCommand({
          SecretId: secretId,
          ClientRequestToken: versionId,
          SecretString: value,
          VersionStages: ['AWSPENDING'],
          RotationToken: rotationToken,
        }),
        endingAfter(timeoutMs),
      );
    } catch (error) {
      if (error instanceof ResourceExistsException) return;
      throw storeErrorOf(error, 'secretsmanager:PutSecretValue', secretId);
    }
  }

  async moveLabel(
    secretId: string,
    { label, from, to }: LabelMove,
    timeoutMs?: number,
  ): Promise<LabelOutcome> {
    try {
      await this.client.send(
        new UpdateSecretVersionStageCommand({
          SecretId: secretId,
          VersionStage: label,
          RemoveFromVersionId: from,
          MoveToVersionId: to,
        }),
        endingAfter(timeoutMs),
      );
      return 'moved';
    } catch (error) {
      // Our requests get this error only if the label is not on the version `from`.
      if (error instanceof InvalidParameterException) return 'conflict';
      throw storeErrorOf(error, 'secretsmanager:UpdateSecretVersionStage', secretId);
    }
  }
}
