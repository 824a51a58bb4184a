import { type Probe, verdictOf } from '../probe';
import { withRotation } from '../rotated-secret';
/** Latchkey's default. */
const EXPRESSION = 'cron(0 8 1 */3 ? *)';

export const scheduleExpression: Probe = {
  id: 'schedule-expression',
  group: 'rotation',
  subject: '`ScheduleExpression` in the answer of `DescribeSecret`',
  reliedOn: 'as it was set',
  otherwise: '`doctor` reports `rotation_schedule_differs` forever',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_RotationRulesType.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_schedule.html',
  ],
  look: (system) =>
    withRotation(system, { schedule: { ScheduleExpression: EXPRESSION } }, async (rotation) => {
      const { RotationRules: { ScheduleExpression } = {} } = await rotation.describe();
      return verdictOf(
        ScheduleExpression === EXPRESSION,
        `set: ${EXPRESSION}; answered: ${ScheduleExpression ?? 'none'}`,
      );
    }),
};
