import { ArnFormat, type Duration, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import * as scheduler from 'aws-cdk-lib/aws-scheduler';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../../contract/deployment-file';
import { scheduleName, type ScheduledFunction } from '../../../contract/schedules';

export interface FunctionScheduleProps {
  readonly deployment: Pick<DeploymentFile, 'prefix' | 'environment' | 'platformRegion'>;
  /** What descriptions call the function, and the schedule is named after. */
  readonly functionName: ScheduledFunction;
  readonly function: lambda.IFunction;
  /** What the function is started with. */
  readonly event: object;
  /** Whole minutes. */
  readonly interval: Duration;
  /** How late a start may be before it is given up. */
  readonly maxEventAge: Duration;
  /** Where starts go that were given up. */
  readonly deadLetterQueue: sqs.IQueue;
}

/** Starts a function again and again, with a role that may do nothing else. Its name is fixed, so that operators find it. */
export class FunctionSchedule extends Construct {
  readonly scheduleArn: string;
  readonly roleArn: string;

  constructor(scope: Construct, id: string, props: FunctionScheduleProps) {
    super(scope, id);
    const { deployment, functionName } = props;
    const name = scheduleName(deployment.prefix, deployment, functionName);
    const stack = Stack.of(this);
    const role = new iam.Role(this, 'Role', {
      description: `Role of the schedule that starts ${functionName}`,
      assumedBy: new iam.ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: {
            'aws:SourceAccount': stack.account,
            'aws:SourceArn': stack.formatArn({
              service: 'scheduler',
              resource: 'schedule-group',
              resourceName: 'default',
              arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
            }),
          },
        },
      }),
    });
    const allow = (action: string, resource: string) =>
      role.addToPolicy(new iam.PolicyStatement({ actions: [action], resources: [resource] }));
    allow('lambda:InvokeFunction', props.function.functionArn);
    allow('sqs:SendMessage', props.deadLetterQueue.queueArn);
    const schedule = new scheduler.CfnSchedule(this, 'Resource', {
      name,
      description: `Starts ${functionName}`,
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
    // The role alone is not enough: a schedule that comes before its policy could not deliver.
    schedule.node.addDependency(role);
    this.roleArn = role.roleArn;
    this.scheduleArn = schedule.attrArn;
  }
}
