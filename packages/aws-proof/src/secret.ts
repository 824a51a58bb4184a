import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';

import { type AwsClients } from './clients';

export type Secret = ReturnType<typeof secretAt>;

/** A secret. @param caller has the permissions; its clients are read for each call, because the laptop's change with its clock */
export function secretAt(caller: { readonly aws: AwsClients }, SecretId: string) {
  const client = () => caller.aws.secretsManager;
  const describe = () => client().send(new DescribeSecretCommand({ SecretId }));
  const read = (VersionId?: string) => client().send(new GetSecretValueCommand({ SecretId, VersionId }));
  return {
    id: SecretId,
    describe,
    /** @param VersionId by default the current version's */
    read,
    json: async <Value>() => JSON.parse((await read()).SecretString ?? '{}') as Value,
    /** @returns the id of the new version */
    put: async (SecretString: string | undefined, ClientRequestToken?: string) => {
      const command = new PutSecretValueCommand({ SecretId, SecretString, ClientRequestToken });
      return (await client().send(command)).VersionId!;
    },
    /** The version with a label. */
    holderOf: async (label: string) => {
      const { VersionIdsToStages = {} } = await describe();
      return Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]!.includes(label));
    },
  };
}
