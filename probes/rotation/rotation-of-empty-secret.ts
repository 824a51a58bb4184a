import { randomUUID } from 'node:crypto';

import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { differs, type Probe, verdictOf } from '../probe';
import { type System } from '../system';
import { withRotation } from '../rotated-secret';

export const rotationOfEmptySecret: Probe = {
  id: 'rotation-of-empty-secret',
  group: 'rotation',
  subject: '`RotateSecret` on a secret without a value',
  reliedOn: 'the rotation fails in createSecret, and `AWSPENDING` stays on an empty version',
  otherwise: '`latchkey doctor` does not find what a schedule leaves behind',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html'],
  look: (system) =>
    withRotation(system, { fails: 'createSecret' }, async (rotation) => {
      const versionId = randomUUID();
      const first = await rotation.tryToRotate({ ClientRequestToken: versionId });
      if (first !== 'accepted') return differs(`RotateSecret is ${first}`);
      const step = await rotation.step('createSecret', versionId);
      if (step === undefined) return differs('createSecret was not called');
      const isPending = (await rotation.labelsOf(versionId)).includes('AWSPENDING');
      const value = await valueOf(system, rotation.secretId, versionId);
      return verdictOf(
        isPending && value.isEmpty,
        `after createSecret failed, AWSPENDING is ${isPending ? 'on its version' : 'gone'}; reading it: ${value.answer}`,
      );
    }),
};

async function valueOf(
  { aws }: System,
  SecretId: string,
  VersionId: string,
): Promise<{ isEmpty: boolean; answer: string }> {
  try {
    const { SecretString } = await aws.secretsManager.send(
      new GetSecretValueCommand({ SecretId, VersionId }),
    );
    return {
      isEmpty: SecretString === undefined,
      answer: SecretString === undefined ? 'no value' : 'a value',
    };
  } catch (error) {
    const { name } = error as Error;
    if (name !== 'ResourceNotFoundException') throw error;
    return { isEmpty: true, answer: name };
  }
}
