import { AssumeRoleCommand } from '@aws-sdk/client-sts';

import { type ClientConfig, clientsWith } from './clients';
import { type Ports } from './ports';

/** A new role can be assumed after some seconds. */
const NEW_ROLE_SEC = 60;
const NOT_YET = /^(AccessDenied|InvalidClientTokenId|NoSuchEntity)/;

/** Settings of clients with a role's permissions. */
export async function configOfRole(ports: Ports, roleArn: string): Promise<ClientConfig> {
  const { place, time } = ports;
  const assumed = await time.until(
    async () => {
      const { sts } = clientsWith(ports.clientConfig());
      try {
        return await sts.send(new AssumeRoleCommand({ RoleArn: roleArn, RoleSessionName: 'latchkey-prove' }));
      } catch (error) {
        if (NOT_YET.test((error as Error).name)) return undefined;
        throw error;
      }
    },
    { withinSec: NEW_ROLE_SEC },
  );
  const { AccessKeyId, SecretAccessKey, SessionToken } = assumed?.Credentials ?? {};
  if (!AccessKeyId || !SecretAccessKey) throw new Error('a role of the run cannot be assumed');
  const credentials = {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...(SessionToken !== undefined && { sessionToken: SessionToken }),
  };
  const { endpoint, maxAttempts, systemClockOffset } = ports.clientConfig();
  return {
    ...{ region: place.region, credentials },
    ...(endpoint !== undefined && { endpoint }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(systemClockOffset !== undefined && { systemClockOffset }),
  };
}
