import { type Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as scheduler from 'aws-cdk-lib/aws-scheduler';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { allow } from './allow';
import { scheduleName, type ScheduledFunction } from '../../../core/deployment/schedules';
import { acknowledgeOwnPolicy } from './acknowledge';
import { type DeploymentSettings } from '../deployment-settings';
import { createRole, roleOf } from './deployment-role';
import { allowSendMessage } from './deliver-failures';

export interface FunctionScheduleProps {
  readonly deployment: DeploymentSettings;
  /** Used in the schedule's name. */
  readonly functionName: ScheduledFunction;
  /** Name of the function in descriptions. @default functionName */
  readonly describedAs?: string;
  readonly function: lambda.IFunction;
  readonly event: object;
  /** Whole minutes. */
  readonly interval: Duration;
  /** Maximum delay of a start. */
  readonly maxEventAge: Duration;
  /** Receives starts that failed or expired. */
  readonly deadLetterQueue: sqs.IQueue;
}

/** Starts a function at a fixed interval, with a role that may do nothing else. The fixed name lets operators find it. */
export class FunctionSchedule extends Construct {
  readonly scheduleArn: string;
  readonly roleArn: string;

  /** @internal The constructs that have a schedule create it. */
  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const { deployment, functionName, describedAs = functionName } = props;
    const name = scheduleName(deployment.prefix, deployment.file, functionName);
    const stack = Stack.of(this);
    const assumedBy = new iam.ServicePrincipal('scheduler.amazonaws.com', {
      conditions: {
        StringEquals: {
          'aws:SourceAccount': stack.account,
          'aws:SourceArn': stack.formatArn({
            service: 'scheduler',
            resource: 'schedule-group',
            resourceName: 'default',
          }),
        },
      },
    });
    const role = createRole(this, 'Role', roleOf(deployment, `${functionName}-schedule`), {
      description: `Role of the schedule that starts ${describedAs}`,
      assumedBy,
    });
    allow(role, ['lambda:InvokeFunction'], [props.function.functionArn]);
    allowSendMessage(role, props.deadLetterQueue);
    acknowledgeOwnPolicy(role);
    const schedule = new scheduler.CfnSchedule(this, 'Resource', {
      name,
      description: `Starts ${describedAs}`,
      scheduleExpression: scheduler.ScheduleExpression.rate(props.interval).expressionString,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: props.function.functionArn,
        roleArn: role.roleArn,
        input: JSON.stringify(props.event),
        retryPolicy: { maximumEventAgeInSeconds: props.maxEventAge.toSeconds(), maximumRetryAttempts: 2 },
        deadLetterConfig: { arn: props.deadLetterQueue.queueArn },
      },
    });
    // Includes the role's policy, without which the schedule could not deliver.
    schedule.node.addDependency(role);
    this.roleArn = role.roleArn;
    this.scheduleArn = schedule.attrArn;
  }
}
