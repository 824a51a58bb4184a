import {
  DescribeSecretCommand,
  GetSecretValueCommand,
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
import { storeErrorOf } from './secrets-manager-error';
import { versionTimes } from './version-times';

/** The versions of credential secrets in Secrets Manager. */
export class SecretsManagerCredentialVersions implements CredentialVersions {
  private readonly client: SecretsManagerClient;

  constructor(client: SecretsManagerClient) {
    this.client = client;
  }

  async describe(secretId: string, timeoutMs?: number): Promise<DescribedSecret> {
    try {
      const { ARN, Name, Tags, LastChangedDate, VersionIdsToStages } = await this.client.send(
        new DescribeSecretCommand({ SecretId: secretId }),
        endingAfter(timeoutMs),
      );
      return {
        arn: ARN!,
        name: Name!,
        tags: Object.fromEntries((Tags ?? []).map(({ Key, Value }) => [Key!, Value ?? ''])),
        labels: new Map(Object.entries(VersionIdsToStages ?? {})),
        changedAtMs: LastChangedDate?.getTime(),
      };
    } catch (error) {
      throw storeErrorOf(error, 'secretsmanager:DescribeSecret', secretId);
    }
  }

  async value(secretId: string, versionId: string, timeoutMs?: number): Promise<string | undefined> {
    return (await this.read(secretId, versionId, timeoutMs))?.value;
  }

  async read(secretId: string, versionId: string, timeoutMs?: number): Promise<ReadVersion | undefined> {
    try {
      const { SecretString, CreatedDate } = await this.client.send(
        new GetSecretValueCommand({ SecretId: secretId, VersionId: versionId }),
        endingAfter(timeoutMs),
      );
      return { value: SecretString, createdAtMs: CreatedDate?.getTime() ?? 0 };
    } catch (error) {
      const failure = storeErrorOf(error, 'secretsmanager:GetSecretValue', secretId);
      // AWS gives the same error for a version that a rotation has not filled yet.
      if (failure.code === 'not_found') return undefined;
      throw failure;
    }
  }

  async tag(secretId: string, tags: Readonly<Record<string, string>>, timeoutMs?: number): Promise<void> {
    const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
    try {
      await this.client.send(new TagResourceCommand({ SecretId: secretId, Tags }), endingAfter(timeoutMs));
    } catch (error) {
      throw storeErrorOf(error, 'secretsmanager:TagResource', secretId);
    }
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
      // The only cause among our requests: the label is not on the version `from`.
      if (error instanceof InvalidParameterException) return 'conflict';
      throw storeErrorOf(error, 'secretsmanager:UpdateSecretVersionStage', secretId);
    }
  }
}
