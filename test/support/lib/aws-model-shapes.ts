/**
 * Where botocore's data has the limits of each resource type's properties: `service Shape`, a structure whose members have the
 * names of the properties. Then properties of another name or another request: `Shape`, `Shape.member`, or {@link IGNORED}; a list's
 * items may each have the shape.
 */
type Shapes = readonly [reference: string, properties?: Readonly<Record<string, string>>];

/** A property that CloudFormation turns into something that has no member of its own, such as a patch or an attribute. */
export const IGNORED = 'ignored';
/** Instead of a shape: the API takes the properties as a map of texts, without limits. */
export const ATTRIBUTES = 'attributes';

/** For every resource type of our templates. */
export const RESOURCE_SHAPES: Readonly<Record<string, Shapes | typeof ATTRIBUTES>> = {
  'AWS::ApiGateway::Account': ['apigateway Account'],
  'AWS::ApiGateway::ApiKey': ['apigateway CreateApiKeyRequest'],
  'AWS::ApiGateway::Authorizer': ['apigateway CreateAuthorizerRequest'],
  'AWS::ApiGateway::BasePathMapping': ['apigateway CreateBasePathMappingRequest'],
  'AWS::ApiGateway::Deployment': ['apigateway CreateDeploymentRequest'],
  'AWS::ApiGateway::DomainName': ['apigateway CreateDomainNameRequest'],
  'AWS::ApiGateway::GatewayResponse': ['apigateway PutGatewayResponseRequest'],
  'AWS::ApiGateway::Method': [
    'apigateway PutMethodRequest',
    { Integration: 'PutIntegrationRequest', MethodResponses: 'PutMethodResponseRequest' },
  ],
  'AWS::ApiGateway::Resource': ['apigateway CreateResourceRequest'],
  'AWS::ApiGateway::RestApi': [
    'apigateway CreateRestApiRequest',
    { ApiKeySourceType: 'CreateRestApiRequest.apiKeySource' },
  ],
  'AWS::ApiGateway::Stage': [
    'apigateway CreateStageRequest',
    {
      AccessLogSetting: 'AccessLogSettings',
      MethodSettings: 'MethodSetting',
      'MethodSettings.HttpMethod': IGNORED,
      'MethodSettings.ResourcePath': IGNORED,
    },
  ],
  'AWS::ApiGateway::UsagePlan': ['apigateway CreateUsagePlanRequest'],
  'AWS::ApiGateway::UsagePlanKey': ['apigateway CreateUsagePlanKeyRequest'],
  'AWS::CloudWatch::Alarm': ['cloudwatch PutMetricAlarmInput'],
  'AWS::CloudWatch::CompositeAlarm': ['cloudwatch PutCompositeAlarmInput'],
  'AWS::CloudWatch::Dashboard': ['cloudwatch PutDashboardInput'],
  'AWS::Events::Rule': ['events PutRuleRequest', { Targets: 'PutTargetsRequest.Targets' }],
  'AWS::IAM::ManagedPolicy': ['iam CreatePolicyRequest'],
  'AWS::IAM::Policy': ['iam PutRolePolicyRequest', { Roles: 'PutRolePolicyRequest.RoleName' }],
  'AWS::IAM::Role': ['iam CreateRoleRequest', { ManagedPolicyArns: 'AttachRolePolicyRequest.PolicyArn' }],
  'AWS::KMS::Key': [
    'kms CreateKeyRequest',
    { EnableKeyRotation: IGNORED, KeyPolicy: 'CreateKeyRequest.Policy' },
  ],
  'AWS::Lambda::EventInvokeConfig': ['lambda PutFunctionEventInvokeConfigRequest'],
  'AWS::Lambda::EventSourceMapping': ['lambda CreateEventSourceMappingRequest'],
  'AWS::Lambda::Function': [
    'lambda CreateFunctionRequest',
    { ReservedConcurrentExecutions: 'PutFunctionConcurrencyRequest.ReservedConcurrentExecutions' },
  ],
  'AWS::Lambda::Permission': ['lambda AddPermissionRequest'],
  'AWS::Logs::LogGroup': [
    'logs CreateLogGroupRequest',
    { RetentionInDays: 'PutRetentionPolicyRequest.retentionInDays' },
  ],
  'AWS::Logs::QueryDefinition': ['logs PutQueryDefinitionRequest'],
  'AWS::Route53::RecordSet': [
    'route53 ResourceRecordSet',
    { HostedZoneId: 'ChangeResourceRecordSetsRequest.HostedZoneId' },
  ],
  'AWS::SNS::Subscription': ['sns SubscribeInput', { FilterPolicy: IGNORED, FilterPolicyScope: IGNORED }],
  'AWS::SNS::Topic': ATTRIBUTES,
  'AWS::SNS::TopicPolicy': ATTRIBUTES,
  'AWS::SQS::Queue': ATTRIBUTES,
  'AWS::SQS::QueuePolicy': ATTRIBUTES,
  'AWS::SSM::Parameter': ['ssm PutParameterRequest'],
  'AWS::Scheduler::Schedule': ['scheduler CreateScheduleInput'],
  'AWS::SecretsManager::ResourcePolicy': ['secretsmanager PutResourcePolicyRequest'],
  'AWS::SecretsManager::RotationSchedule': [
    'secretsmanager RotateSecretRequest',
    { RotateImmediatelyOnUpdate: 'RotateSecretRequest.RotateImmediately' },
  ],
  'AWS::SecretsManager::Secret': [
    'secretsmanager CreateSecretRequest',
    { ReplicaRegions: 'CreateSecretRequest.AddReplicaRegions' },
  ],
  'AWS::WAFv2::WebACL': ['wafv2 CreateWebACLRequest'],
  'AWS::WAFv2::WebACLAssociation': ['wafv2 AssociateWebACLRequest'],
};

/** Members and enum values that Debian's models of 2022 do not have yet. */
export const NEWER_THAN_MODELS = [
  'AWS::ApiGateway::DomainName.EndpointAccessMode',
  'AWS::ApiGateway::DomainName.SecurityPolicy=SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
  'AWS::ApiGateway::RestApi.EndpointAccessMode',
  'AWS::ApiGateway::RestApi.SecurityPolicy',
  'AWS::CloudWatch::Alarm.WarmUpConfiguration',
  'AWS::Events::Rule.State=ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS',
  'AWS::Lambda::EventSourceMapping.ScalingConfig',
  'AWS::Lambda::Function.LoggingConfig',
  'AWS::Lambda::Function.Runtime=nodejs24.x',
];
