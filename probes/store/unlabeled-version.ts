import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-secrets-manager';

import { differs, type Probe, verdictOf } from '../probe';

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
    const read = () => secretsManager.send(new GetSecretValueCommand({ SecretId, VersionId }));
    try {
      const first = await system.time.until(
        async () => {
          const { SecretString, VersionStages = [] } = await read();
          return VersionStages.length > 0 ? undefined : { isSame: SecretString === 'one' };
        },
        { withinSec: 60 },
      );
      if (first === undefined) return differs('the first of three versions kept a label');
      return verdictOf(first.isSame, 'the first of three versions was read by its id');
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
      return differs('the first of three versions is not found by its id');
    }
  },
};
