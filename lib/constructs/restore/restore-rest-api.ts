import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import { type Construct } from 'constructs';

import { type RestoreAuth } from '../../../contract/restore-operation';
import { type RestoreUsagePlanSettings } from './restore-usage-plan';

export interface RestoreRestApiProps {
  readonly name: string;
  readonly description: string;
  readonly stageName: string;
  readonly auth: RestoreAuth;
  readonly rateLimit: number;
  readonly burstLimit: number;
  readonly logRetention: logs.RetentionDays;
  /** @default no usage plan: callers need no key */
  readonly usagePlan?: RestoreUsagePlanSettings;
  /** @default no web ACL */
  readonly webAclArn?: string;
  /** @default a regional API, which everybody reaches */
  readonly vpcEndpointIds?: string[];
  /** Whether it answers under a name of its own alone. @default false */
  readonly hasDomain?: boolean;
}

/**
 * The TLS that API and domain speak: 1.2 or 1.3, with forward secrecy; regional and private APIs may have it alike.
 * Strict: the host name has to be that of the handshake, and a request has to come by the type of endpoint that the API has.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies-list.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
export const RESTORE_TLS = {
  securityPolicy: apigateway.SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: apigateway.EndpointAccessMode.STRICT,
};

/** The API of a restore route and its one stage, without the route. */
export function createRestoreRestApi(scope: Construct, props: RestoreRestApiProps): apigateway.RestApi {
  const accessLogs = new logs.LogGroup(scope, 'AccessLogs', {
    retention: props.logRetention,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const api = new apigateway.RestApi(scope, 'Api', {
    restApiName: props.name,
    description: props.description,
    endpointConfiguration: endpointOf(scope, props.vpcEndpointIds),
    policy: gatewayPolicy(props.auth, props.vpcEndpointIds),
    // What callers send as X-API-Key is then not even read.
    ...(props.usagePlan && { apiKeySourceType: apigateway.ApiKeySourceType.AUTHORIZER }),
    ...(props.hasDomain && { disableExecuteApiEndpoint: true }),
    cloudWatchRole: false,
    deployOptions: {
      stageName: props.stageName,
      throttlingRateLimit: props.rateLimit,
      throttlingBurstLimit: props.burstLimit,
      loggingLevel: apigateway.MethodLoggingLevel.ERROR,
      dataTraceEnabled: false,
      metricsEnabled: true,
      accessLogDestination: new apigateway.LogGroupLogDestination(accessLogs),
      accessLogFormat: accessLogFormat(),
    },
  });
  const cfnApi = api.node.defaultChild as apigateway.CfnRestApi;
  Object.assign(cfnApi, RESTORE_TLS);
  Validations.of(cfnApi).acknowledge({
    id: 'AwsSolutions::AwsSolutions-APIG2',
    reason: 'The function validates: API Gateway would answer 400 before 401, 415 or 422 could be said.',
  });
  guardStage(scope, api.deploymentStage, props.webAclArn);
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

function guardStage(scope: Construct, stage: apigateway.Stage, webAclArn: string | undefined): void {
  if (webAclArn !== undefined) {
    new wafv2.CfnWebACLAssociation(scope, 'WebAcl', { resourceArn: stage.stageArn, webAclArn });
    return;
  }
  Validations.of(stage.node.defaultChild!).acknowledge({
    id: 'AwsSolutions::AwsSolutions-APIG3',
    reason: 'A web ACL belongs to the account; the stage throttles, and an unknown caller is refused first.',
  });
}

/**
 * Who may reach the API at all. TLS only, and only through the interface endpoints where there are any.
 * In iam mode nothing is allowed here: an `Allow *` would let every principal of the account in.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-authorization-flow.html
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-examples.html
 */
export function gatewayPolicy(auth: RestoreAuth, vpcEndpointIds?: string[]): iam.PolicyDocument {
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
      // Of several values none may be the one, and a request that came otherwise has none at all.
      ...(vpcEndpointIds ? [deny({ StringNotEquals: { 'aws:SourceVpce': vpcEndpointIds } })] : []),
      ...(auth === 'platform' ? [new iam.PolicyStatement(invoke)] : []),
    ],
  });
}

/** What API Gateway logs of a request: neither headers nor bodies. */
function accessLogFormat(): apigateway.AccessLogFormat {
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
      authorizerStatus: '$context.authorizer.status',
      errorType: '$context.error.responseType',
      principalId: '$context.authorizer.principalId',
      sourceIp: '$context.identity.sourceIp',
      tlsVersion: '$context.tlsVersion',
      cipherSuite: '$context.cipherSuite',
    }),
  );
}
