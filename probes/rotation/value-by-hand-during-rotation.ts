import { asReliedOn, notRun, type Probe } from '../probe';
import { withRotation } from '../rotated-secret';

export const valueByHandDuringRotation: Probe = {
  id: 'value-by-hand-during-rotation',
  group: 'rotation',
  subject: 'Whether a value put by hand ends "rotation in progress"',
  reliedOn: 'it does, or not: nothing relies on it; to be sure, the pending version loses its label',
  otherwise: '`latchkey credentials rotate` is refused after a value was put by hand',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html'],
  look: (system) =>
    withRotation(system, { fails: 'createSecret' }, async (rotation) => {
      await rotation.put('one');
      const versionId = await rotation.rotate();
      if (!(await rotation.step('createSecret', versionId))) return notRun('createSecret was not called');
      const byHand = await rotation.put('by hand');
      if (!(await rotation.isCurrent(byHand))) return notRun('the value by hand is not current');
      const isPending = (await rotation.labelsOf(versionId)).includes('AWSPENDING');
      const next = await rotation.rotateAgain();
      return asReliedOn(`AWSPENDING ${isPending ? 'stays' : 'is removed'}; the next RotateSecret is ${next}`);
    }),
};
