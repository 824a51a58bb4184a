/**
 * For tests inside one process: an account and its clock, `authorize`, provisioning, the services' operations and the
 * doubles that tests of this package use themselves. SDK clients are in `testing/local-aws`, because they load slowly.
 */
export {
  Account,
  type Key,
  type LambdaFunction,
  type Outage,
  type PolicyDocument,
  type PolicyStatement,
  type RotationRules,
  type Schedule,
  type Secret,
  type SecretVersion,
  type Topic,
} from './account';
export { startAccountServices, type AccountServices } from './account-services';
export { apiGatewayResourceTypes } from './api-gateway/api-gateway-resource-types';
export { startApiGateway, type ApiGatewayServer } from './api-gateway/api-gateway-server';
export { RequestHandler } from './api-gateway/handle-request';
export { type Readings } from './api-gateway/readings';
export { RestApis } from './api-gateway/rest-api';
export { AwsError } from './aws/aws-error';
export { startAwsEndpoint, type AwsEndpoint } from './aws/endpoint';
export { readFilterPattern } from './aws/filter-pattern';
export { Input } from './aws/input';
export { LOCAL_SERVICE } from './aws/local-control';
export { writeLogEvents } from './aws/logs-service';
export { type Call } from './aws/operation';
export { holderOf, moveLabel, unfinishedVersion } from './aws/secrets-manager/labels';
export { syncReplicas, withReplicas } from './aws/secrets-manager/replication';
export { addPendingVersion, addVersion } from './aws/secrets-manager/secret-versions';
export { SECRETS_MANAGER_OPERATIONS } from './aws/secrets-manager/secrets-manager-service';
export { LocalQueueSender } from './aws/sqs-service';
export { Alarms } from './cloudwatch/account-alarms';
export { type AlarmStateValue } from './cloudwatch/alarm-definition';
export { CloudWatch } from './cloudwatch/cloudwatch';
export { MetricStore, type MetricDatum } from './cloudwatch/metric-store';
export { embeddedMetrics } from './cloudwatch/parse-embedded-metrics';
export { type Readings as AlarmReadings } from './cloudwatch/readings';
export { invocationMetrics, requestMetrics } from './cloudwatch/vended-metrics';
export { matchesPattern } from './events/event-pattern';
export { AsyncEvents } from './functions/async-events';
export { EnvironmentProcess } from './functions/environment-process';
export { lambdaEnvironment } from './functions/lambda-environment';
export { RuntimeApi } from './functions/runtime-api';
export { HostError } from './host-error';
export { Credentials, type AccessKey } from './iam/access-keys';
export { authorize } from './iam/authorize';
export { evaluatePolicies } from './iam/evaluate';
export { type Principal } from './iam/principal';
export { matchesWildcards } from './iam/wildcard';
export { type FunctionInvoker, type InvocationResult, type SecretRotator } from './interfaces';
export { rotationResourceTypes } from './rotation/rotation-resource-types';
export { Rotator } from './rotation/rotator';
export { RunClock, type WallTime } from './run-clock';
export { Scheduler } from './scheduler';
export { assumeAsService } from './service-roles';
export { readAssembly, type AssemblyStack, type CloudAssembly } from './template/assembly';
export {
  atOnce,
  deleteStack,
  deployStack,
  provisionAssembly,
  provisionStack,
  type ProvisionOptions,
  type ProvisionedStack,
  type StackSteps,
} from './template/provision';
export { type ResourceType } from './template/resource-type';
export { RESOURCE_TYPES } from './template/resource-types';
export { templateSchema, type Template } from './template/template';
export { addRole, lambdaFunction } from './testing/account-parts';
export { RecordingReporter } from './testing/recording-reporter';
export { signedFetch } from './testing/signed-fetch';
export { emptyAccount, provisionResources, roleFor } from './testing/stacks';
export { standingClock } from './testing/standing-clock';
