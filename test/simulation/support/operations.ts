import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { generateApiKey } from '../../../cli/credentials/generate-api-key';
import { putApiKey, putCredentials } from '../../../cli/credentials/put-credential';
import { revokePrevious } from '../../../cli/credentials/revoke-previous';
import { rollback } from '../../../cli/credentials/rollback';
import { CANDIDATE_LABEL } from '../../../core/secrets/credential-labels';
import { KillPoints } from '../../support/kill-points';
import { type OperatedDeployment } from './operated-deployment';

/** A site administrator's session, as `api-key generate` reads it. */
export const SESSION = JSON.stringify({
  authorization: 'Bearer administrator',
  correlationId: '6c6b5ee5-9e8d-4ae4-9d1c-21b1c3b1a111',
});

interface LoadOptions {
  points?: KillPoints | undefined;
  revokePrevious?: boolean;
  replace?: boolean;
}

/** Loads a value with the command for its kind. */
export function load(
  operated: OperatedDeployment,
  input: string,
  { points = new KillPoints(), ...flags }: LoadOptions = {},
): Promise<string> {
  const command = operated.kind === 'api-key' ? putApiKey : putCredentials;
  return operated.command(command, flags, { input, points });
}

/** Another writer stages a candidate, by its label alone. */
export async function stageElsewhere(operated: OperatedDeployment, value: string): Promise<void> {
  const { secrets, secretName: SecretId } = operated;
  const ClientRequestToken = `staged-by-somebody-else-${operated.versions().length}`.padEnd(32, '-');
  const VersionStages = [CANDIDATE_LABEL];
  await secrets.send(
    new PutSecretValueCommand({ SecretId, ClientRequestToken, SecretString: value, VersionStages }),
  );
}

/** Generates an API key on the platform. */
export function generate(operated: OperatedDeployment, points = new KillPoints()): Promise<string> {
  return operated.command(generateApiKey, {}, { input: SESSION, points });
}

/** Rolls back to the previous credential. */
export function rollBack(operated: OperatedDeployment, points = new KillPoints()): Promise<string> {
  return operated.command(rollback, { kind: operated.kind }, { points });
}

/** Revokes the previous credential. */
export function revoke(operated: OperatedDeployment, points = new KillPoints()): Promise<string> {
  return operated.command(revokePrevious, { kind: operated.kind }, { points });
}
