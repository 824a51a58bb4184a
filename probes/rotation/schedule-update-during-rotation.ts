import { notRun, type Probe, verdictOf } from '../probe';
import { type RotationSettings, rotationTemplate, withRotation } from '../rotated-secret';
import { DeploymentFailed } from '../system';

export const scheduleUpdateDuringRotation: Probe = {
  id: 'schedule-update-during-rotation',
  group: 'rotation',
  subject: 'An update of a `RotationSchedule` that fails because a rotation is unfinished',
  reliedOn: 'the rollback calls RotateSecret again and fails, too (`UPDATE_ROLLBACK_FAILED`)',
  otherwise: 'better than expected',
  sources: [
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-rotationschedule.html',
    'https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1813',
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotateSecret.html',
  ],
  look: (system) => {
    const settings = (hour: number): RotationSettings => ({
      fails: 'createSecret',
      schedule: { ScheduleExpression: `cron(0 ${hour} 1 */3 ? *)` },
    });
    return withRotation(system, settings(8), async (rotation) => {
      await rotation.isIdle();
      const versionId = await rotation.rotate({ RotationRules: undefined });
      if (!(await rotation.step('createSecret', versionId))) return notRun('createSecret was not called');
      try {
        await system.stacks.deploy({ name: system.prefix, template: rotationTemplate(system, settings(9)) });
        return verdictOf(false, 'the update succeeded');
      } catch (error) {
        if (!(error instanceof DeploymentFailed)) throw error;
        return verdictOf(error.status === 'UPDATE_ROLLBACK_FAILED', error.status ?? 'the update failed');
      }
    });
  },
};
