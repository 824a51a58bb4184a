import { asReliedOn, notRun, type Probe } from '../probe';
import { withRotation } from '../rotated-secret';
/** Secrets Manager looks after the last step. */
const SETTLED_SEC = 15;

export const pendingAfterSuccess: Probe = {
  id: 'pending-after-success',
  group: 'rotation',
  subject: '`AWSPENDING` after a rotation that succeeded',
  reliedOn:
    'it is removed, or stays on the current version; createSecret refuses it once a value written by hand makes it pending again',
  otherwise: 'a rotation undoes a value that was written by hand',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html',
    'https://github.com/aws-samples/aws-secrets-manager-rotation-lambdas/pull/145',
  ],
  look: (system) =>
    withRotation(system, {}, async (rotation) => {
      await rotation.put('one');
      const rotated = await rotation.rotate();
      if (!(await rotation.isCurrent(rotated))) return notRun('the rotation did not succeed');
      await system.time.pass(SETTLED_SEC);
      const isKept = (await rotation.labelsOf(rotated)).includes('AWSPENDING');
      const byHand = await rotation.put('by hand');
      if (!(await rotation.isCurrent(byHand))) return notRun('the value by hand is not current');
      const isPending = (await rotation.labelsOf(rotated)).includes('AWSPENDING');
      const next = await rotation.rotateAgain();
      return asReliedOn(
        [
          `AWSPENDING ${isKept ? 'stayed on the current version' : 'was removed'}`,
          `after a value put by hand, it is ${isPending ? 'on the former version' : 'on none'}`,
          `RotateSecret is ${next}`,
        ].join('; '),
      );
    }),
};
