import { ListSecretVersionIdsCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type CallOptions } from './call-timeout';
import { answerTo } from './secrets-manager-calls';

/** When each version with a label was created, in ms since the epoch. @throws {StoreError} */
export async function versionTimes(
  client: SecretsManagerClient,
  secretId: string,
  options: CallOptions,
): Promise<Map<string | undefined, number | undefined>> {
  const times = new Map<string | undefined, number | undefined>();
  let NextToken: string | undefined;
  do {
    const list = new ListSecretVersionIdsCommand({ SecretId: secretId, MaxResults: 100, NextToken });
    const page = await answerTo(client.send(list, options), 'ListSecretVersionIds', secretId);
    for (const { VersionId, CreatedDate } of page.Versions ?? []) {
      times.set(VersionId, CreatedDate?.getTime());
    }
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return times;
}
