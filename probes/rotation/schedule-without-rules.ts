import { type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';

export const scheduleWithoutRules: Probe = {
  id: 'schedule-without-rules',
  group: 'rotation',
  subject: 'A `RotationSchedule` without `RotationRules` (`"rotationSchedule": "none"`)',
  reliedOn: 'rotation is enabled, and no schedule starts it',
  otherwise: 'rotations without a candidate; `latchkey doctor` says so and fixes it',
  sources: [
    'https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-secretsmanager-rotationschedule.html',
    'https://github.com/aws/aws-cdk/issues/27460',
  ],
  look: (system) =>
    withRotation(system, { schedule: null }, async (rotation) => {
      await rotation.isIdle();
      const { RotationEnabled, NextRotationDate, RotationRules = {} } = await rotation.describe();
      const rules = Object.values(RotationRules).some((rule) => rule !== undefined);
      return verdictOf(
        RotationEnabled === true && NextRotationDate === undefined,
        [
          `rotation is ${RotationEnabled ? 'enabled' : 'off'}`,
          NextRotationDate === undefined ? 'no next date' : 'with a next date',
          rules ? 'with rules' : 'no rules',
        ].join(', '),
      );
    }),
};
