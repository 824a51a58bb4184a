import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { type Probe, verdictOf } from '../probe';

export const unlabeledVersion: Probe = {
  id: 'unlabeled-version',
  group: 'store',
  subject: 'A version without labels',
  reliedOn: '`GetSecretValue` with its `VersionId` returns it until Secrets Manager deletes it',
  otherwise: 'after a second refused credential, tokens are not renewed',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html'],
  async look(system) {
    const { secretsManager } = system.aws;
    const { arn: SecretId } = await system.secret('one');
    const { VersionId } = await secretsManager.send(new GetSecretValueCommand({ SecretId }));
    for (const SecretString of ['two', 'three'])
      await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString }));
    const first = await system.time.until(
      async () => {
        const read = await secretsManager.send(new GetSecretValueCommand({ SecretId, VersionId }));
        return read.VersionStages?.length ? undefined : read;
      },
      { withinSec: 60 },
    );
    return first === undefined
      ? verdictOf(false, 'the first of three versions kept a label')
      : verdictOf(first.SecretString === 'one', 'the first of three versions was read by its id');
  },
};
