import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

export interface RotationScheduleProps {
  readonly secretArn: string;
  /** The function that takes the four steps. */
  readonly rotationFunctionArn: string;
  /** Cron in UTC as Secrets Manager takes it, or `none`: then a rotation starts only when somebody asks for it. */
  readonly schedule: string;
}

/**
 * Ties a secret to its rotation function. Nothing is rotated at deployment; AWS only tests the configuration then.
 * L1, since the L2 construct gives rights on every secret. Cron, since with `rate()` a rotation that was planned takes
 * place although the schedule was changed.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-secretsmanager-rotationschedule-rotationrules.html
 */
export class RotationSchedule extends Construct {
  constructor(scope: Construct, id: string, props: RotationScheduleProps) {
    super(scope, id);
    new secretsmanager.CfnRotationSchedule(this, 'Resource', {
      secretId: props.secretArn,
      rotationLambdaArn: props.rotationFunctionArn,
      rotateImmediatelyOnUpdate: false,
      rotationRules: props.schedule === 'none' ? undefined : { scheduleExpression: props.schedule },
    });
  }
}
