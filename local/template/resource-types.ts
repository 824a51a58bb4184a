import { arnOf, noOp, physicalName, type ResourceContext, type ResourceType } from './resource-type';
import { type CreatedResource } from './resolve';
import { iamManagedPolicy, iamPolicy, iamRole } from './resources/iam';
import { kmsAlias, kmsKey } from './resources/kms';
import { lambdaEventInvokeConfig, lambdaFunction, lambdaPermission } from './resources/lambda';
import { logGroup } from './resources/logs';
import { schedule } from './resources/scheduler';
import { secret, secretResourcePolicy } from './resources/secrets-manager';
import { sqsQueue, sqsQueuePolicy } from './resources/sqs';
import { ssmParameter } from './resources/ssm';

const topic = (context: ResourceContext): CreatedResource => {
  const name = physicalName(context);
  const arn = arnOf(context, 'sns', name);
  return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
};
const alarm = (context: ResourceContext): CreatedResource => {
  const name = physicalName(context);
  return { ref: name, attributes: { Arn: arnOf(context, 'cloudwatch', `alarm:${name}`) } };
};

/** Types that make no difference on a laptop, each with the reason. */
export const NO_OP_TYPES = {
  'AWS::CDK::Metadata': noOp('usage statistics of the CDK'),
  'AWS::CloudWatch::Alarm': noOp('there are no metrics here to watch', alarm),
  'AWS::CloudWatch::CompositeAlarm': noOp('there are no metrics here to watch', alarm),
  'AWS::CloudWatch::Dashboard': noOp('there are no metrics here to show'),
  'AWS::Logs::MetricFilter': noOp('there are no metrics here'),
  'AWS::SNS::Topic': noOp('only alarms notify, and there are none here', topic),
  'AWS::SNS::TopicPolicy': noOp('only alarms notify, and there are none here'),
  'AWS::SNS::Subscription': noOp('only alarms notify, and there are none here'),
} as const satisfies Record<string, ResourceType>;

/** All resource types that this module knows. Others are added where stacks are provisioned. */
export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  ...NO_OP_TYPES,
  'AWS::IAM::ManagedPolicy': iamManagedPolicy,
  'AWS::IAM::Policy': iamPolicy,
  'AWS::IAM::Role': iamRole,
  'AWS::KMS::Alias': kmsAlias,
  'AWS::KMS::Key': kmsKey,
  'AWS::Lambda::EventInvokeConfig': lambdaEventInvokeConfig,
  'AWS::Lambda::Function': lambdaFunction,
  'AWS::Lambda::Permission': lambdaPermission,
  'AWS::Logs::LogGroup': logGroup,
  'AWS::SQS::Queue': sqsQueue,
  'AWS::SQS::QueuePolicy': sqsQueuePolicy,
  'AWS::SSM::Parameter': ssmParameter,
  'AWS::Scheduler::Schedule': schedule,
  'AWS::SecretsManager::ResourcePolicy': secretResourcePolicy,
  'AWS::SecretsManager::Secret': secret,
};
