import { randomUUID } from 'node:crypto';

import { CANDIDATE_LABEL } from '../../contract/credential-labels';
import { differs, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';

export const ownLabelDuringRotation: Probe = {
  id: 'own-label-during-rotation',
  group: 'rotation',
  subject: 'A version with our own label during a rotation',
  reliedOn: 'AWS ignores it: it looks only at `AWSPENDING` and `AWSCURRENT`',
  otherwise: 'RotateSecret fails while a credential is staged',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html',
  ],
  look: (system) =>
    withRotation(system, {}, async (rotation) => {
      await rotation.put('one');
      const staged = await rotation.put('two', CANDIDATE_LABEL);
      const versionId = randomUUID();
      const answer = await rotation.tryToRotate({ ClientRequestToken: versionId });
      if (answer !== 'accepted') return differs(`RotateSecret is ${answer}`);
      const isRotated = await rotation.isCurrent(versionId);
      const isStaged = (await rotation.labelsOf(staged)).includes(CANDIDATE_LABEL);
      return verdictOf(
        isRotated && isStaged,
        `the rotation ${isRotated ? 'succeeded' : 'did not succeed'}; the label ${isStaged ? 'stayed' : 'is gone'}`,
      );
    }),
};
