import { notRun, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';
const WATCHED_SEC = 120;

export const rotationGivenUp: Probe = {
  id: 'rotation-given-up',
  group: 'rotation',
  subject: 'A rotation whose createSecret failed and removed `AWSPENDING`',
  reliedOn:
    'AWS may repeat it with the same version, which ends with `not_pending`; another rotation can start',
  otherwise: 'operators cannot rotate after a rotation without a candidate',
  sources: ['https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html'],
  look: (system) =>
    withRotation(system, { fails: 'createSecret', givesUp: true }, async (rotation) => {
      await rotation.put('one');
      const versionId = await rotation.rotate();
      if (!(await rotation.step('createSecret', versionId))) return notRun('createSecret was not called');
      if (!(await rotation.isIdle())) return notRun('the function could not remove AWSPENDING');
      await system.time.pass(WATCHED_SEC);
      const attempts = (await rotation.steps()).filter(({ step }) => step === 'createSecret');
      const isSame = attempts.every((attempt) => attempt.versionId === versionId);
      const next = await rotation.rotateAgain();
      return verdictOf(
        isSame && next === 'accepted',
        `${attempts.length} attempts in ${WATCHED_SEC / 60} min, ${isSame ? 'all with the same version' : 'with several versions'}; the next RotateSecret is ${next}`,
      );
    }),
};
