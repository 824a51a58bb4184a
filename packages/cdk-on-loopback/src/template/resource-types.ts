import { inert, noOp, type ResourceType } from './resource-type';
import { alarm, compositeAlarm, dashboard } from './resources/cloudwatch-resource-types';
import { dynamoDbTable } from './resources/dynamodb-resource-types';
import { eventBus, eventBusPolicy, eventRule } from './resources/events-resource-types';
import { iamManagedPolicy, iamPolicy, iamRole } from './resources/iam-resource-types';
import { kmsAlias, kmsKey } from './resources/kms-resource-types';
import { lambdaEventInvokeConfig, lambdaFunction, lambdaPermission } from './resources/lambda-resource-types';
import { logGroup } from './resources/logs-resource-types';
import { schedule } from './resources/scheduler-resource-types';
import { secret, secretResourcePolicy } from './resources/secrets-manager-resource-types';
import { snsSubscription, snsTopic, snsTopicPolicy } from './resources/sns-resource-types';
import { sqsQueue, sqsQueuePolicy } from './resources/sqs-resource-types';
import { ssmParameter } from './resources/ssm-resource-types';

/** Resource types without effect here, each with the reason. */
const NO_OP_TYPES = {
  'AWS::CDK::Metadata': noOp('usage statistics of the CDK'),
  'AWS::Logs::QueryDefinition': noOp('saved for people; a run answers FilterLogEvents instead'),
  'AWS::Logs::MetricFilter': noOp('metrics come from embedded metric lines and from the services'),
} as const satisfies Record<string, ResourceType>;

/** Resource types by their names in the AWS CloudFormation Template Reference. Others are added when stacks are provisioned. */
export const RESOURCE_TYPES: Readonly<Record<string, ResourceType>> = {
  ...NO_OP_TYPES,
  ...inert('AWS::Logs::SubscriptionFilter'),
  'AWS::CloudWatch::Alarm': alarm,
  'AWS::CloudWatch::CompositeAlarm': compositeAlarm,
  'AWS::CloudWatch::Dashboard': dashboard,
  'AWS::DynamoDB::Table': dynamoDbTable,
  'AWS::Events::EventBus': eventBus,
  'AWS::Events::EventBusPolicy': eventBusPolicy,
  'AWS::Events::Rule': eventRule,
  'AWS::IAM::ManagedPolicy': iamManagedPolicy,
  'AWS::IAM::Policy': iamPolicy,
  'AWS::IAM::Role': iamRole,
  'AWS::KMS::Alias': kmsAlias,
  'AWS::KMS::Key': kmsKey,
  'AWS::Lambda::EventInvokeConfig': lambdaEventInvokeConfig,
  'AWS::Lambda::Function': lambdaFunction,
  'AWS::Lambda::Permission': lambdaPermission,
  'AWS::Logs::LogGroup': logGroup,
  'AWS::SNS::Subscription': snsSubscription,
  'AWS::SNS::Topic': snsTopic,
  'AWS::SNS::TopicPolicy': snsTopicPolicy,
  'AWS::SQS::Queue': sqsQueue,
  'AWS::SQS::QueuePolicy': sqsQueuePolicy,
  'AWS::SSM::Parameter': ssmParameter,
  'AWS::Scheduler::Schedule': schedule,
  'AWS::SecretsManager::ResourcePolicy': secretResourcePolicy,
  'AWS::SecretsManager::Secret': secret,
};
