import { differs, type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';
import { DeploymentFailed } from '../system';
/** As Latchkey's. */
const SCHEDULE = { ScheduleExpression: 'cron(0 8 1 */3 ? *)' };

export const scheduleWithoutVersion: Probe = {
  id: 'schedule-without-version',
  group: 'rotation',
  subject: 'A `RotationSchedule` on a secret without any version',
  reliedOn: 'the stack deploys; testSecret finds an empty version and passes',
  otherwise: "a new tenant's stack fails",
  sources: [
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-rotationschedule.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html',
  ],
  async look(system) {
    try {
      return await withRotation(system, { schedule: SCHEDULE }, async (rotation) => {
        const tested = await rotation.step('testSecret');
        if (tested === undefined) return differs('the stack was created; testSecret was not called');
        const isIdle = await rotation.isIdle();
        return verdictOf(
          tested.hasValue === false && isIdle,
          `the stack was created; testSecret found ${tested.hasValue ? 'a value' : 'no value'}, and AWSPENDING ${isIdle ? 'is gone' : 'stayed'}`,
        );
      });
    } catch (error) {
      if (!(error instanceof DeploymentFailed) || error.status === undefined) throw error;
      return differs(`the stack failed: ${error.status}`);
    }
  },
};
