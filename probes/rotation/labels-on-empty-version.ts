import { UpdateSecretVersionStageCommand } from '@aws-sdk/client-secrets-manager';

import { REFUSED_LABEL } from '../../contract/credential-labels';
import { notRun, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';

export const labelsOnEmptyVersion: Probe = {
  id: 'labels-on-empty-version',
  group: 'rotation',
  subject: 'Labels on a version without a value',
  reliedOn: 'they can be moved and removed like any other',
  otherwise: '`doctor --fix` cannot clear an empty version',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html',
  ],
  look: (system) =>
    withRotation(system, { fails: 'createSecret' }, async (rotation) => {
      const full = await rotation.put('one');
      const empty = await rotation.rotate();
      if (!(await rotation.step('createSecret', empty))) return notRun('createSecret was not called');
      const move = (VersionStage: string, from?: string, to?: string) =>
        system.aws.secretsManager.send(
          new UpdateSecretVersionStageCommand({
            ...{ SecretId: rotation.secretId, VersionStage },
            ...{ RemoveFromVersionId: from, MoveToVersionId: to },
          }),
        );
      const moves = [
        ['attached', () => move(REFUSED_LABEL, undefined, empty)],
        ['moved away', () => move(REFUSED_LABEL, empty, full)],
        ['moved back', () => move(REFUSED_LABEL, full, empty)],
        ['removed', () => move(REFUSED_LABEL, empty)],
        ['AWSPENDING removed', () => move('AWSPENDING', empty)],
      ] as const;
      for (const [what, send] of moves) {
        try {
          await send();
        } catch (error) {
          return verdictOf(false, `not ${what}: ${(error as Error).name}`);
        }
      }
      const isIdle = await rotation.isIdle();
      return verdictOf(
        isIdle,
        `${moves.map(([what]) => what).join(', ')}${isIdle ? '' : '; AWSPENDING is still there'}`,
      );
    }),
};
