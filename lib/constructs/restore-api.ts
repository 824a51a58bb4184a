import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../contract/deployment-file';
import { type RestoreMetric } from '../../contract/metrics';
import { RESTORE_PATH, type RestoreAuth } from '../../contract/restore';
import { cellPath } from '../../contract/secret-names';
import { cellName } from '../../contract/token-key';
import { type RestoreEnvironment } from '../../lambdas/restore/environment';
import { accessLogFormat } from './access-log-format';
import { acknowledgeWildcards } from './acknowledge-wildcards';
import { BundledFunction, type FunctionSettings } from './bundled-function';
import { cellMetric } from './cell-metric';
import { gatewayPolicy } from './gateway-policy';
import { addGatewayProblems } from './gateway-problems';
import { keyStatement } from './key-access';
import { secretArnPattern } from './secret-arns';

export interface RestoreApiProps {
  readonly deployment: DeploymentFile;
  readonly encryptionKeyArn: string;
  readonly tokenRefreshArn: string;
  /**
   * Who may call. `platform`: callers with the platform's own schemes, Basic and Bearer; `iam`: principals with
   * `grantRestore`, who sign their requests.
   * @default platform
   */
  readonly auth?: RestoreAuth;
  /** Requests per second of the stage. @default 20 */
  readonly rateLimit?: number;
  /** Requests at once above the rate. @default 40 */
  readonly burstLimit?: number;
  /** @default each function outside any VPC, with logs kept for 90 days */
  readonly functionSettings?: FunctionSettings;
}

const STAGE = 'v1';
const REASON_PATHS =
  'The path is that of this deployment; full ARNs would overflow the policy at about 60 tenants.';

/** Restores archived content through one guarded HTTPS route. */
export class RestoreApi extends Construct {
  /** Base address with its stage, without a slash at the end. */
  readonly url: string;
  readonly restoreArn: string;
  /** Absent in iam mode, where API Gateway itself checks the signature. */
  readonly authorizerArn: string | undefined;
  private readonly api: apigateway.RestApi;
  private readonly functions: BundledFunction[];
  private readonly props: RestoreApiProps;

  constructor(scope: Construct, id: string, props: RestoreApiProps) {
    super(scope, id);
    this.props = props;
    const { auth = 'platform' } = props;
    this.api = this.createApi(auth);
    addGatewayProblems(this.api, auth);
    const restore = this.createRestoreFunction();
    this.restoreArn = restore.function.functionArn;
    const authorizer = auth === 'platform' ? this.createAuthorizerFunction() : undefined;
    this.authorizerArn = authorizer?.function.functionArn;
    this.functions = authorizer === undefined ? [restore] : [restore, authorizer];
    this.addRoute(restore, authorizer);
    this.url = this.api.deploymentStage.urlForPath().replace(/\/$/, '');
  }

  /**
   * Grants calling the route for every tenant of the deployment, in iam mode.
   * @throws {Error} in platform mode, where rights are the platform's
   */
  grantRestore(grantee: iam.IGrantable): iam.Grant {
    const { auth = 'platform' } = this.props;
    if (auth !== 'iam') throw new Error(`auth: found ${auth}; allowed for grantRestore: iam`);
    return iam.Grant.addToPrincipal({
      grantee,
      actions: ['execute-api:Invoke'],
      resourceArns: [this.api.arnForExecuteApi('POST', RESTORE_PATH.replaceAll(/\{\w+\}/g, '*'), STAGE)],
    });
  }

  /** Answers of one outcome, as the restore function gave them: one metric for each. */
  metricOutcome(
    outcome: Exclude<RestoreMetric, 'RestoreLatency'>,
    options?: cloudwatch.MetricOptions,
  ): cloudwatch.Metric {
    return cellMetric(this.props.deployment, outcome, options);
  }

  /** Milliseconds that the restore function took for its answers: of nine in ten less, unless told otherwise. */
  metricLatency(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    const usual = { statistic: cloudwatch.Stats.p(90) };
    return cellMetric(this.props.deployment, 'RestoreLatency', { ...usual, ...options });
  }

  /** Requests that reached the stage, refused ones included. */
  metricRequests(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.api.deploymentStage.metricCount(options);
  }

  /** Answers of the stage with 5xx, whoever gave them: also where the function crashed or did not start. */
  metricServerErrors(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.api.deploymentStage.metricServerError(options);
  }

  /** Runs of each function behind the route, restore first, that could not start for lack of concurrency. */
  metricsThrottles(options?: cloudwatch.MetricOptions): cloudwatch.Metric[] {
    return this.functions.map(({ function: fn }) => fn.metricThrottles(options));
  }

  private createApi(auth: RestoreAuth): apigateway.RestApi {
    const { environment, platformRegion } = this.props.deployment;
    const accessLogs = new logs.LogGroup(this, 'AccessLogs', {
      retention: this.props.functionSettings?.logRetention ?? logs.RetentionDays.THREE_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const api = new apigateway.RestApi(this, 'Api', {
      restApiName: `${this.props.deployment.prefix}-${cellName(this.props.deployment)}`,
      description: `Latchkey restore API of ${environment} ${platformRegion}`,
      endpointTypes: [apigateway.EndpointType.REGIONAL],
      policy: gatewayPolicy(auth),
      cloudWatchRole: false,
      deployOptions: {
        stageName: STAGE,
        throttlingRateLimit: this.props.rateLimit ?? 20,
        throttlingBurstLimit: this.props.burstLimit ?? 40,
        loggingLevel: apigateway.MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        metricsEnabled: true,
        accessLogDestination: new apigateway.LogGroupLogDestination(accessLogs),
        accessLogFormat: accessLogFormat(),
      },
    });
    const cfnApi = api.node.defaultChild as apigateway.CfnRestApi;
    cfnApi.securityPolicy = 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09';
    cfnApi.endpointAccessMode = 'STRICT';
    Validations.of(cfnApi).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG2',
      reason: 'The function validates: API Gateway would answer 400 before 401, 415 or 422 could be said.',
    });
    Validations.of(api.deploymentStage.node.defaultChild!).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG3',
      reason:
        'A web ACL belongs to the account; the stage throttles, and an unknown caller is refused first.',
    });
    return api;
  }

  private createRestoreFunction(): BundledFunction {
    const { deployment, encryptionKeyArn, tokenRefreshArn, functionSettings } = this.props;
    const environment = { TOKEN_REFRESH_ARN: tokenRefreshArn } satisfies RestoreEnvironment;
    const restore = new BundledFunction(this, 'Restore', {
      bundleName: 'restore',
      description: `restore of ${deployment.environment} ${deployment.platformRegion}`,
      deployment,
      // Below API Gateway's 29 s, so that the function itself tells what it knows.
      timeout: Duration.seconds(28),
      settings: functionSettings,
      environment,
    });
    const tokens = [secretArnPattern(this, `${this.root()}/*/token/content/api-write`)];
    this.allowReading(restore, ['secretsmanager:GetSecretValue'], tokens, encryptionKeyArn);
    restore.role.addToPolicy(
      new iam.PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [tokenRefreshArn] }),
    );
    acknowledgeWildcards(restore.role.node.findChild('DefaultPolicy'), tokens, REASON_PATHS);
    return restore;
  }

  private createAuthorizerFunction(): BundledFunction {
    const { deployment, encryptionKeyArn, functionSettings } = this.props;
    const authorizer = new BundledFunction(this, 'Authorizer', {
      bundleName: 'authorizer',
      description: `authorizer of ${deployment.environment} ${deployment.platformRegion}`,
      deployment,
      timeout: Duration.seconds(10),
      settings: functionSettings,
    });
    const apiKeys = secretArnPattern(this, `${this.root()}/*/api-key`);
    const tokens = secretArnPattern(this, `${this.root()}/*/token/content/*`);
    const read = ['secretsmanager:GetSecretValue'];
    this.allowReading(authorizer, [...read, 'secretsmanager:DescribeSecret'], [apiKeys], encryptionKeyArn);
    this.allowReading(authorizer, read, [tokens], encryptionKeyArn);
    acknowledgeWildcards(authorizer.role.node.findChild('DefaultPolicy'), [apiKeys, tokens], REASON_PATHS);
    return authorizer;
  }

  private addRoute(restore: BundledFunction, authorizer: BundledFunction | undefined): void {
    const method = this.api.root
      .resourceForPath(RESTORE_PATH)
      .addMethod(
        'POST',
        new apigateway.LambdaIntegration(restore.function, { allowTestInvoke: false }),
        authorizer === undefined
          ? { authorizationType: apigateway.AuthorizationType.IAM }
          : { authorizationType: apigateway.AuthorizationType.CUSTOM, authorizer: this.guardOf(authorizer) },
      );
    Validations.of(method.node.defaultChild!).acknowledge({
      id: 'AwsSolutions::AwsSolutions-COG4',
      reason: 'Callers have the platform’s credentials or IAM roles; there are no Cognito users.',
    });
  }

  /** REQUEST, not TOKEN: only so does it see every Authorization header, and which tenant is meant. Results are not cached. */
  private guardOf(authorizer: BundledFunction): apigateway.IAuthorizer {
    return new apigateway.RequestAuthorizer(this, 'Guard', {
      handler: authorizer.function,
      identitySources: [apigateway.IdentitySource.header('Authorization')],
      resultsCacheTtl: Duration.seconds(0),
    });
  }

  private allowReading(to: BundledFunction, actions: string[], secretArns: string[], keyArn: string): void {
    to.role.addToPolicy(new iam.PolicyStatement({ actions, resources: secretArns }));
    to.role.addToPolicy(keyStatement(this, { keyArn, secretArns, actions: ['kms:Decrypt'] }));
  }

  private root(): string {
    return cellPath(this.props.deployment.prefix, this.props.deployment);
  }
}
