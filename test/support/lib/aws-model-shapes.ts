/** The API shapes that have the limits of a resource type's properties. */
export interface ShapesOfType {
  /** Folder of the service in botocore's data. */
  service: string;
  /** The structure whose members have the names of the properties. */
  shape: string;
  /** Properties of another name or another request: `Shape`, `Shape.member`, or {@link IGNORED}. A list's items may each have the shape. */
  properties?: Readonly<Record<string, string>>;
}

/** A property that CloudFormation turns into something that has no member of its own, such as a patch or an attribute. */
export const IGNORED = 'ignored';

const ATTRIBUTES = 'the API takes its properties as a map of texts, without limits';

/** Whether a type has no shape, but a reason why. */
export const isReason = (entry: ShapesOfType | string): entry is string => typeof entry === 'string';

const apiGateway = (shape: string, properties?: Readonly<Record<string, string>>): ShapesOfType => ({
  service: 'apigateway',
  shape,
  ...(properties !== undefined && { properties }),
});

/** A shape for every resource type of our templates, or the reason why it has none. */
export const RESOURCE_SHAPES: Readonly<Record<string, ShapesOfType | string>> = {
  'AWS::ApiGateway::Account': apiGateway('Account'),
  'AWS::ApiGateway::ApiKey': apiGateway('CreateApiKeyRequest'),
  'AWS::ApiGateway::Authorizer': apiGateway('CreateAuthorizerRequest'),
  'AWS::ApiGateway::BasePathMapping': apiGateway('CreateBasePathMappingRequest'),
  'AWS::ApiGateway::Deployment': apiGateway('CreateDeploymentRequest'),
  'AWS::ApiGateway::DomainName': apiGateway('CreateDomainNameRequest'),
  'AWS::ApiGateway::GatewayResponse': apiGateway('PutGatewayResponseRequest'),
  'AWS::ApiGateway::Method': apiGateway('PutMethodRequest', {
    Integration: 'PutIntegrationRequest',
    MethodResponses: 'PutMethodResponseRequest',
  }),
  'AWS::ApiGateway::Resource': apiGateway('CreateResourceRequest'),
  'AWS::ApiGateway::RestApi': apiGateway('CreateRestApiRequest', {
    ApiKeySourceType: 'CreateRestApiRequest.apiKeySource',
  }),
  'AWS::ApiGateway::Stage': apiGateway('CreateStageRequest', {
    AccessLogSetting: 'AccessLogSettings',
    MethodSettings: 'MethodSetting',
    'MethodSettings.HttpMethod': IGNORED,
    'MethodSettings.ResourcePath': IGNORED,
  }),
  'AWS::ApiGateway::UsagePlan': apiGateway('CreateUsagePlanRequest'),
  'AWS::ApiGateway::UsagePlanKey': apiGateway('CreateUsagePlanKeyRequest'),
  'AWS::CloudWatch::Alarm': { service: 'cloudwatch', shape: 'PutMetricAlarmInput' },
  'AWS::CloudWatch::CompositeAlarm': { service: 'cloudwatch', shape: 'PutCompositeAlarmInput' },
  'AWS::CloudWatch::Dashboard': { service: 'cloudwatch', shape: 'PutDashboardInput' },
  'AWS::Events::Rule': {
    service: 'events',
    shape: 'PutRuleRequest',
    properties: { Targets: 'PutTargetsRequest.Targets' },
  },
  'AWS::IAM::ManagedPolicy': { service: 'iam', shape: 'CreatePolicyRequest' },
  'AWS::IAM::Policy': {
    service: 'iam',
    shape: 'PutRolePolicyRequest',
    properties: { Roles: 'PutRolePolicyRequest.RoleName' },
  },
  'AWS::IAM::Role': {
    service: 'iam',
    shape: 'CreateRoleRequest',
    properties: { ManagedPolicyArns: 'AttachRolePolicyRequest.PolicyArn' },
  },
  'AWS::KMS::Key': {
    service: 'kms',
    shape: 'CreateKeyRequest',
    properties: { EnableKeyRotation: IGNORED, KeyPolicy: 'CreateKeyRequest.Policy' },
  },
  'AWS::Lambda::EventInvokeConfig': { service: 'lambda', shape: 'PutFunctionEventInvokeConfigRequest' },
  'AWS::Lambda::EventSourceMapping': { service: 'lambda', shape: 'CreateEventSourceMappingRequest' },
  'AWS::Lambda::Function': {
    service: 'lambda',
    shape: 'CreateFunctionRequest',
    properties: {
      ReservedConcurrentExecutions: 'PutFunctionConcurrencyRequest.ReservedConcurrentExecutions',
    },
  },
  'AWS::Lambda::Permission': { service: 'lambda', shape: 'AddPermissionRequest' },
  'AWS::Logs::LogGroup': {
    service: 'logs',
    shape: 'CreateLogGroupRequest',
    properties: { RetentionInDays: 'PutRetentionPolicyRequest.retentionInDays' },
  },
  'AWS::Logs::QueryDefinition': { service: 'logs', shape: 'PutQueryDefinitionRequest' },
  'AWS::Route53::RecordSet': {
    service: 'route53',
    shape: 'ResourceRecordSet',
    properties: { HostedZoneId: 'ChangeResourceRecordSetsRequest.HostedZoneId' },
  },
  'AWS::SNS::Subscription': {
    service: 'sns',
    shape: 'SubscribeInput',
    properties: { FilterPolicy: IGNORED, FilterPolicyScope: IGNORED },
  },
  'AWS::SNS::Topic': ATTRIBUTES,
  'AWS::SNS::TopicPolicy': ATTRIBUTES,
  'AWS::SQS::Queue': ATTRIBUTES,
  'AWS::SQS::QueuePolicy': ATTRIBUTES,
  'AWS::SSM::Parameter': { service: 'ssm', shape: 'PutParameterRequest' },
  'AWS::Scheduler::Schedule': { service: 'scheduler', shape: 'CreateScheduleInput' },
  'AWS::SecretsManager::ResourcePolicy': { service: 'secretsmanager', shape: 'PutResourcePolicyRequest' },
  'AWS::SecretsManager::RotationSchedule': {
    service: 'secretsmanager',
    shape: 'RotateSecretRequest',
    properties: { RotateImmediatelyOnUpdate: 'RotateSecretRequest.RotateImmediately' },
  },
  'AWS::SecretsManager::Secret': {
    service: 'secretsmanager',
    shape: 'CreateSecretRequest',
    properties: { ReplicaRegions: 'CreateSecretRequest.AddReplicaRegions' },
  },
  'AWS::WAFv2::WebACL': { service: 'wafv2', shape: 'CreateWebACLRequest' },
  'AWS::WAFv2::WebACLAssociation': { service: 'wafv2', shape: 'AssociateWebACLRequest' },
};

const ENHANCED_SECURITY = {
  page: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html',
  read: '2026-11-24',
};

/** Members and enum values that Debian's models of 2022 do not have yet, with AWS's page and the day on which it was read. */
export const NEWER_THAN_MODELS: Readonly<Record<string, { page: string; read: string }>> = {
  'AWS::ApiGateway::DomainName.EndpointAccessMode': ENHANCED_SECURITY,
  'AWS::ApiGateway::DomainName.SecurityPolicy=SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09': ENHANCED_SECURITY,
  'AWS::ApiGateway::RestApi.EndpointAccessMode': ENHANCED_SECURITY,
  'AWS::ApiGateway::RestApi.SecurityPolicy': ENHANCED_SECURITY,
  'AWS::CloudWatch::Alarm.WarmUpConfiguration': {
    page: 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_WarmUpConfiguration.html',
    read: '2026-11-24',
  },
  'AWS::Events::Rule.State=ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS': {
    page: 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event-cloudtrail-management.html',
    read: '2026-11-24',
  },
  'AWS::Lambda::EventSourceMapping.ScalingConfig': {
    page: 'https://docs.aws.amazon.com/lambda/latest/api/API_ScalingConfig.html',
    read: '2026-11-28',
  },
  'AWS::Lambda::Function.LoggingConfig': {
    page: 'https://docs.aws.amazon.com/lambda/latest/api/API_LoggingConfig.html',
    read: '2026-11-24',
  },
  'AWS::Lambda::Function.Runtime=nodejs24.x': {
    page: 'https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html',
    read: '2026-11-24',
  },
};
