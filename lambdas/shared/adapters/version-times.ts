import { ListSecretVersionIdsCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type endingAfter } from './call-timeout';
import { storeErrorOf } from './secrets-manager-error';

/** When each version with a label was created, in ms since the epoch. @throws {StoreError} */
export async function versionTimes(
  client: SecretsManagerClient,
  secretId: string,
  options: ReturnType<typeof endingAfter>,
): Promise<Map<string | undefined, number | undefined>> {
  const times = new Map<string | undefined, number | undefined>();
  let NextToken: string | undefined;
  try {
    do {
      const page = await client.send(
        new ListSecretVersionIdsCommand({ SecretId: secretId, MaxResults: 100, NextToken }),
        options,
      );
      for (const { VersionId, CreatedDate } of page.Versions ?? []) {
        times.set(VersionId, CreatedDate?.getTime());
      }
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return times;
  } catch (error) {
    throw storeErrorOf(error, 'secretsmanager:ListSecretVersionIds', secretId);
  }
}
