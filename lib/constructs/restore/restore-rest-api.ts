import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { type Construct } from 'constructs';

import { type RestoreAuth, restorePathPattern } from '../../../core/restore/restore-operation';
import { type DeploymentSettings } from '../deployment-settings';
import { acknowledge } from '../internal/acknowledge';
import { createLogGroup } from '../internal/log-encryption';
import { hasXray } from '../internal/traced-function';
import { membersOf } from '../internal/organization-members';
import { createRateWebAcl } from './rate-web-acl';

export interface RestoreRestApiProps {
  readonly name: string;
  readonly description: string;
  readonly stageName: string;
  readonly deployment: DeploymentSettings;
}

/**
 * TLS 1.2 or 1.3 with forward secrecy, for API and domain; available for regional and private APIs.
 * Strict: the host name must match the TLS handshake, and requests must arrive through the API's endpoint type.
 * By name, because older versions of aws-cdk-lib know neither.
 * AWS GovCloud (US) has no such policies: an API there is FIPS-compliant by default, and a domain has TLS 1.2.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies-list.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 * @see https://docs.aws.amazon.com/govcloud-us/latest/UserGuide/govcloud-abp.html
 */
export function useStrictTls(resource: apigateway.CfnRestApi | apigateway.CfnDomainName): void {
  if (RegionInfo.get(Stack.of(resource).region).partition === 'aws-us-gov') return;
  resource.addPropertyOverride('SecurityPolicy', 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09');
  resource.addPropertyOverride('EndpointAccessMode', 'STRICT');
}

/** The REST API of a restore route with its stage, but without the route. */
export function createRestoreRestApi(scope: Construct, props: RestoreRestApiProps): apigateway.RestApi {
  const { options, logsKey } = props.deployment;
  const { auth, domain, usagePlan, vpcEndpointIds, ...settings } = options.restoreApi;
  const accessLogs = createLogGroup(scope, 'AccessLogs', {
    encryptionKey: logsKey,
    retention: options.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const api = new apigateway.RestApi(scope, 'Api', {
    restApiName: props.name,
    description: props.description,
    endpointConfiguration: endpointOf(scope, vpcEndpointIds),
    policy: gatewayPolicy(auth, vpcEndpointIds, settings.callerAccounts, settings.callerOrganizations),
    // API Gateway then ignores the X-API-Key header.
    ...(usagePlan && { apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER }),
    ...(domain && { disableExecuteApiEndpoint: true }),
    cloudWatchRole: false,
    deployOptions: {
      stageName: props.stageName,
      throttlingRateLimit: settings.rateLimit,
      throttlingBurstLimit: settings.burstLimit,
      // Execution logs go to a group of API Gateway's own making, which is kept forever: docs/decisions/0003.
      loggingLevel: apigateway.MethodLoggingLevel.OFF,
      dataTraceEnabled: false,
      // The alarms and graphs read the stage's metrics, which come without those of each method.
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
      metricsEnabled: false,
      ...(hasXray(options.tracing) && { tracingEnabled: true }),
      accessLogDestination: new apigateway.LogGroupLogDestination(accessLogs),
      accessLogFormat: accessLogFormat(auth),
    },
  });
  const cfnApi = api.node.defaultChild as apigateway.CfnRestApi;
  useStrictTls(cfnApi);
  acknowledge(
    cfnApi,
    ['AwsSolutions-APIG2'],
    'The function validates requests: API Gateway would answer 400 where the API specifies 401, 415 or 422.',
  );
  guardStage(scope, api.deploymentStage, props);
  return api;
}

function endpointOf(
  scope: Construct,
  vpcEndpointIds: string[] | undefined,
): apigateway.EndpointConfiguration {
  if (vpcEndpointIds === undefined) return { types: [apigateway.EndpointType.REGIONAL] };
  return {
    types: [apigateway.EndpointType.PRIVATE],
    vpcEndpoints: vpcEndpointIds.map((vpcEndpointId) =>
      ec2.InterfaceVpcEndpoint.fromInterfaceVpcEndpointAttributes(scope, vpcEndpointId, {
        vpcEndpointId,
        port: 443,
      }),
    ),
  };
}

/** Attaches the web ACL, and acknowledges what else cdk-nag expects of a stage. */
function guardStage(
  scope: Construct,
  stage: apigateway.Stage,
  { name, deployment: { options } }: RestoreRestApiProps,
): void {
  const { webAclArn: existingArn, ratePerIp } = options.restoreApi;
  const cfnStage = stage.node.defaultChild!;
  acknowledge(
    cfnStage,
    ['AwsSolutions-APIG6', 'NIST.800.53.R5-APIGWExecutionLoggingEnabled'],
    'Execution logs would be kept forever in a group outside the stack; the access log has the errors of authorizer and integration.',
  );
  acknowledge(
    cfnStage,
    ['NIST.800.53.R5-APIGWCacheEnabledAndEncrypted'],
    'Its only route changes content, so no response may come from a cache.',
  );
  acknowledge(
    cfnStage,
    ['NIST.800.53.R5-APIGWSSLEnabled'],
    'Its backend is a Lambda function, which API Gateway calls by IAM; client certificates are for HTTP backends.',
  );
  if (!hasXray(options.tracing)) {
    acknowledge(
      cfnStage,
      ['Serverless-APIGWXrayEnabled'],
      'The log lines say what a trace would; X-Ray charges for traces, and would record every caller’s requests.',
    );
  }
  const webAclArn = ratePerIp === undefined ? existingArn : createRateWebAcl(scope, name, ratePerIp);
  if (webAclArn !== undefined) {
    new wafv2.CfnWebACLAssociation(scope, 'WebAcl', { resourceArn: stage.stageArn, webAclArn });
    return;
  }
  acknowledge(
    cfnStage,
    ['AwsSolutions-APIG3', 'NIST.800.53.R5-APIGWAssociatedWithWAF'],
    'A web ACL is the account owner’s choice (ratePerIp, webAclArn); without one, the stage throttles all callers together.',
  );
}

/**
 * The API's resource policy: TLS only, and only through the interface endpoints if there are any.
 * In iam mode it allows no principal of the API's own account: there, an identity policy is enough. Other accounts need both.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-examples.html
 */
export function gatewayPolicy(
  auth: RestoreAuth,
  vpcEndpointIds?: string[],
  callerAccounts: string[] = [],
  callerOrganizations: string[] = [],
): iam.PolicyDocument {
  const invoke = {
    principals: [new iam.AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
  };
  const deny = (conditions: iam.PolicyStatementProps['conditions']) =>
    new iam.PolicyStatement({ ...invoke, effect: iam.Effect.DENY, conditions });
  return new iam.PolicyDocument({
    statements: [
      deny({ Bool: { 'aws:SecureTransport': 'false' } }),
      // Denies requests with another endpoint, and those without one.
      ...(vpcEndpointIds ? [deny({ StringNotEquals: { 'aws:SourceVpce': vpcEndpointIds } })] : []),
      ...(auth === 'platform' ? [new iam.PolicyStatement(invoke)] : []),
      ...(callerAccounts.length > 0 ? [allowAccounts(callerAccounts)] : []),
      ...(callerOrganizations.length > 0 ? [allowOrganizations(callerOrganizations)] : []),
    ],
  });
}

/**
 * Lets other accounts decide which of their principals call the route. An account that turns out to be the API's own gets
 * nothing: there, this statement might be enough without any policy of the principal.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html (tables A and B)
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-aws-condition-keys.html
 */
function allowAccounts(accounts: string[]): iam.PolicyStatement {
  return new iam.PolicyStatement({
    ...theRoute(),
    principals: accounts.map((account) => new iam.AccountPrincipal(account)),
    conditions: { StringNotEquals: { 'aws:PrincipalAccount': Aws.ACCOUNT_ID } },
  });
}

/** The same for all other accounts of organizations. */
function allowOrganizations(organizations: string[]): iam.PolicyStatement {
  const principals = [new iam.AnyPrincipal()];
  return new iam.PolicyStatement({ ...theRoute(), principals, conditions: membersOf(organizations) });
}

const theRoute = () => ({
  actions: ['execute-api:Invoke'],
  resources: [`execute-api:/*/POST${restorePathPattern('*')}`],
});

/** In iam mode also who signed: the ARN, the account, and the principal's id, which a later role of that name lacks. */
const SIGNER = {
  userArn: '$context.identity.userArn',
  callerAccount: '$context.identity.accountId',
  caller: '$context.identity.caller',
};

/**
 * The access log fields, without headers and bodies. Not `$context.error.message`, which can quote the Authorization header
 * that API Gateway could not parse.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
function accessLogFormat(auth: RestoreAuth): apigateway.AccessLogFormat {
  return apigateway.AccessLogFormat.custom(
    JSON.stringify({
      requestId: '$context.requestId',
      requestTime: '$context.requestTime',
      httpMethod: '$context.httpMethod',
      resourcePath: '$context.resourcePath',
      path: '$context.path',
      status: '$context.status',
      responseLength: '$context.responseLength',
      responseLatency: '$context.responseLatency',
      integrationStatus: '$context.integration.status',
      integrationLatency: '$context.integration.latency',
      integrationError: '$context.integration.error',
      authorizerStatus: '$context.authorizer.status',
      authorizerError: '$context.authorizer.error',
      errorType: '$context.error.responseType',
      principalId: '$context.authorizer.principalId',
      ...(auth === 'iam' && SIGNER),
      sourceIp: '$context.identity.sourceIp',
      tlsVersion: '$context.tlsVersion',
      cipherSuite: '$context.cipherSuite',
    }),
  );
}
