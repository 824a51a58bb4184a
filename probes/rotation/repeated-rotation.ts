import { notRun, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';
const WATCHED_SEC = 2 * 3600;
/** At the end of which no attempt is seen. */
const QUIET_SEC = 3600;

export const repeatedRotation: Probe = {
  id: 'repeated-rotation',
  group: 'rotation',
  subject: 'How often and when AWS retries a failed rotation, and what has `AWSPENDING` then',
  reliedOn: 'a few times within hours, always with the same version, or not at all',
  otherwise: 'token-sweep ends a rotation that AWS still repeats',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot_rotation.html',
  ],
  slow: true,
  look: (system) =>
    withRotation(system, { fails: 'createSecret' }, async (rotation) => {
      await rotation.put('one');
      const versionId = await rotation.rotate();
      const first = await rotation.step('createSecret', versionId);
      if (first === undefined) return notRun('createSecret was not called');
      await system.time.pass(WATCHED_SEC);
      const attempts = (await rotation.steps()).filter(({ step }) => step === 'createSecret');
      const minutes = attempts.map(({ atMs }) => Math.round((atMs - first.atMs) / 60_000));
      const isSame = attempts.every((attempt) => attempt.versionId === versionId);
      const pending = (await rotation.holderOf('AWSPENDING')) === versionId;
      return verdictOf(
        isSame && Math.max(...minutes) * 60 <= WATCHED_SEC - QUIET_SEC,
        [
          `${attempts.length} attempts, after ${minutes.join(', ')} min`,
          `all with ${isSame ? 'the same version' : 'several versions'}`,
          `which ${pending ? 'is still pending' : 'is no longer pending'} after ${WATCHED_SEC / 3600} h`,
        ].join('; '),
      );
    }),
};
