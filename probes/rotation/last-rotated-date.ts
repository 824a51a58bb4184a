import { UpdateSecretVersionStageCommand } from '@aws-sdk/client-secrets-manager';

import { notRun, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';
const PAUSE_SEC = 60;

export const lastRotatedDate: Probe = {
  id: 'last-rotated-date',
  group: 'rotation',
  subject: '`LastRotatedDate` when labels are moved by hand',
  reliedOn: 'only a finished rotation changes it',
  otherwise: 'the grace period of a previous API key starts later than it should',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_DescribeSecret.html'],
  look: (system) =>
    withRotation(system, {}, async (rotation) => {
      const first = await rotation.put('one');
      const second = await rotation.rotate();
      if (!(await rotation.isCurrent(second))) return notRun('the rotation did not succeed');
      const rotatedAt = await system.time.until(async () => (await rotation.describe()).LastRotatedDate, {
        withinSec: 60,
      });
      if (rotatedAt === undefined) return notRun('no LastRotatedDate after a rotation');
      await system.time.pass(PAUSE_SEC);
      await system.aws.secretsManager.send(
        new UpdateSecretVersionStageCommand({
          ...{ SecretId: rotation.secretId, VersionStage: 'AWSCURRENT' },
          ...{ RemoveFromVersionId: second, MoveToVersionId: first },
        }),
      );
      if (!(await rotation.isCurrent(first))) return notRun('the label was not moved');
      const afterMove = (await rotation.describe()).LastRotatedDate;
      const third = await rotation.put('three');
      if (!(await rotation.isCurrent(third))) return notRun('the value by hand is not current');
      const afterPut = (await rotation.describe()).LastRotatedDate;
      const change = (date: Date | undefined) =>
        date?.getTime() === rotatedAt.getTime() ? 'the same' : 'another';
      const [move, put] = [change(afterMove), change(afterPut)];
      return verdictOf(
        move === 'the same' && put === 'the same',
        `${move} date after AWSCURRENT was moved by hand; ${put} after a value was put by hand`,
      );
    }),
};
