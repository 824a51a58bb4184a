import { randomUUID } from 'node:crypto';

import { notRun, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';

export const sameTokenTwice: Probe = {
  id: 'same-token-twice',
  group: 'rotation',
  subject: 'The same `RotateSecret` twice with one token',
  reliedOn: 'ignored, or "in progress"',
  otherwise: 'a command that was interrupted rotates twice',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html'],
  look: (system) =>
    withRotation(system, { fails: 'createSecret' }, async (rotation) => {
      await rotation.put('one');
      const ClientRequestToken = randomUUID();
      const versionId = await rotation.rotate({ ClientRequestToken });
      if (!(await rotation.step('createSecret', versionId))) return notRun('createSecret was not called');
      const second = await rotation.rotateAgain({ ClientRequestToken });
      const others = (await rotation.steps()).filter((step) => step.versionId !== versionId);
      return verdictOf(
        others.length === 0,
        `the second is ${second}; ${others.length} steps of another version`,
      );
    }),
};
