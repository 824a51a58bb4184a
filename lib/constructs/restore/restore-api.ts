import { type CfnOutput, Duration } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type RestoreMetric } from '../../../core/alarms/metrics';
import { RESTORE_PATH, restorePathPattern } from '../../../core/restore/restore-operation';
import { deploymentName, deploymentText } from '../../../core/tokens/token-key';
import { type CheckedOptions } from '../../options/schema';
import { type DeploymentSettings, withDeployment } from '../deployment-settings';
import { acknowledge } from '../internal/acknowledge';
import { type BundledFunction } from '../internal/bundled-function';
import { deploymentMetric } from '../observability/deployment-metric';
import { addGatewayProblems } from './gateway-responses';
import { RestoreDomain } from './restore-domain';
import { createAuthorizerFunction, createRestoreFunction } from './restore-functions';
import { createHistoryQuery } from './history-query';
import { createRestoreRestApi } from './restore-rest-api';
import { createRestoreUsagePlan } from './restore-usage-plan';
import { type TokenRefresher } from '../tokens/token-refresher';

export interface RestoreApiProps {
  readonly deployment: DeploymentSettings;
  /** Renews tokens that the restore function finds expired or rejected. */
  readonly tokenRefresher: TokenRefresher;
}

/** What {@link RestoreApi.grantRestore} grants. */
export interface GrantRestoreOptions {
  /** @default every tenant of the deployment, also those that it gets later */
  readonly tenantIds?: readonly string[];
}

const STAGE = 'v1';

/** A REST API with one route, which restores archived content. */
export class RestoreApi extends Construct {
  /** Base URL without a trailing slash: of the stage, or of the domain. */
  readonly url: string;
  /** Target for the DNS record that you must create; undefined without a domain or with a hosted zone. */
  readonly domainTarget: string | undefined;
  /** Undefined without a usage plan. */
  readonly usagePlanId: string | undefined;
  readonly restoreArn: string;
  /** Undefined in iam mode, where API Gateway checks the signature. */
  readonly authorizerArn: string | undefined;
  readonly restoreRoleArn: string;
  /** Undefined in iam mode. */
  readonly authorizerRoleArn: string | undefined;
  /** Log group of the restore function, with a line for each request. */
  readonly logGroupName: string;
  private readonly api: apigateway.RestApi;
  private readonly logGroup: logs.LogGroup;
  private readonly functions: BundledFunction[];
  private readonly deployment: DeploymentFile;
  private readonly options: CheckedOptions['restoreApi'];

  constructor(scope: Construct, id: string, props: RestoreApiProps) {
    super(scope, id);
    const { deployment, tokenRefresher } = withDeployment(this, props);
    this.deployment = deployment.file;
    this.options = deployment.options.restoreApi;
    const { auth, domain: domainOptions, auditRetentionDays } = this.options;
    this.api = createRestoreRestApi(this, {
      name: `${deployment.prefix}-${deploymentName(deployment.file)}`,
      description: `Latchkey restore API of ${deploymentText(deployment.file)}`,
      stageName: STAGE,
      deployment,
    });
    addGatewayProblems(this.api, auth);
    const { tokenRefreshArn } = tokenRefresher;
    const functionProps = { deployment, tokenRefreshArn, auditRetentionDays };
    const restore = createRestoreFunction(this, functionProps);
    this.restoreArn = restore.function.functionArn;
    this.restoreRoleArn = restore.role.roleArn;
    this.logGroup = restore.logGroup;
    this.logGroupName = restore.logGroup.logGroupName;
    createHistoryQuery(this, this.deployment, restore.logGroup);
    const authorizer = auth === 'platform' ? createAuthorizerFunction(this, functionProps) : undefined;
    this.authorizerArn = authorizer?.function.functionArn;
    this.authorizerRoleArn = authorizer?.role.roleArn;
    this.functions = authorizer === undefined ? [restore] : [restore, authorizer];
    this.addRoute(restore, authorizer);
    this.usagePlanId = this.addUsagePlan();
    const domain = domainOptions && this.addDomain(domainOptions);
    this.url = domain?.url ?? this.api.deploymentStage.urlForPath().replace(/\/$/, '');
    this.domainTarget = domainOptions?.hostedZoneId === undefined ? domain?.target : undefined;
  }

  /**
   * In iam mode, grants calling the route.
   * @throws {Error} in platform mode, where IAM does not decide, and for a tenant that the deployment does not have
   */
  grantRestore(grantee: iam.IGrantable, { tenantIds }: GrantRestoreOptions = {}): iam.Grant {
    const { auth } = this.options;
    if (auth !== 'iam') throw new Error(`restoreApi.auth: found ${auth}; allowed for grantRestore: iam`);
    refuseOtherTenants(tenantIds, this.deployment);
    return iam.Grant.addToPrincipal({
      grantee,
      actions: ['execute-api:Invoke'],
      resourceArns: (tenantIds ?? ['*']).map((tenantId) =>
        this.api.arnForExecuteApi('POST', restorePathPattern(tenantId), STAGE),
      ),
    });
  }

  /**
   * Grants searching the log lines of the restore function, such as `latchkey restore history` does. Not by the log group's
   * own grant, which names it once more since aws-cdk-lib 2.276, without `:*`.
   * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/iam-access-control-overview-cwl.html
   */
  grantReadHistory(grantee: iam.IGrantable): iam.Grant {
    return iam.Grant.addToPrincipal({
      grantee,
      actions: ['logs:FilterLogEvents'],
      resourceArns: [this.logGroup.logGroupArn],
    });
  }

  /** Responses of the restore function with one outcome. */
  metricOutcome(
    outcome: Exclude<RestoreMetric, 'RestoreLatency' | 'RestoreAvailabilityMismatch'>,
    options?: cloudwatch.MetricOptions,
  ): cloudwatch.Metric {
    return deploymentMetric(this.deployment, outcome, options);
  }

  /** Duration of the restore function's responses in milliseconds; by default the 90th percentile. */
  metricLatency(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    const defaults = { statistic: cloudwatch.Stats.p(90) };
    return deploymentMetric(this.deployment, 'RestoreLatency', { ...defaults, ...options });
  }

  /** 1 if the platform's offer contradicts `restore.available`, otherwise 0, each time that the restore function found out. */
  metricAvailabilityMismatch(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return deploymentMetric(this.deployment, 'RestoreAvailabilityMismatch', options);
  }

  /** Requests to the stage, including refused ones. */
  metricRequests(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.api.deploymentStage.metricCount(options);
  }

  /** 5xx responses of the stage, including those of API Gateway when a function crashed or did not start. */
  metricServerErrors(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    return this.api.deploymentStage.metricServerError(options);
  }

  /** Throttled runs of each function behind the route, the restore function first. */
  metricsThrottles(options?: cloudwatch.MetricOptions): cloudwatch.Metric[] {
    return this.functions.map(({ function: fn }) => fn.metricThrottles(options));
  }

  private addUsagePlan(): string | undefined {
    const { deployment } = this;
    const { usagePlan, rateLimit, burstLimit } = this.options;
    if (usagePlan === undefined) return undefined;
    const plan = createRestoreUsagePlan(this, {
      ...usagePlan,
      description: `Restore limits per tenant of ${deploymentText(deployment)}`,
      api: this.api,
      stageLimits: { rateLimit, burstLimit },
    });
    return plan.usagePlanId;
  }

  private addDomain(options: NonNullable<CheckedOptions['restoreApi']['domain']>): RestoreDomain {
    const added = new RestoreDomain(this, 'Domain', { ...options, api: this.api });
    // Otherwise the CDK prints the API Gateway address, which no longer works.
    (this.api.node.findChild('Endpoint') as CfnOutput).value = added.url;
    return added;
  }

  private addRoute(restore: BundledFunction, authorizer: BundledFunction | undefined): void {
    const method = this.api.root
      .resourceForPath(RESTORE_PATH)
      .addMethod('POST', new apigateway.LambdaIntegration(restore.function, { allowTestInvoke: false }), {
        ...(authorizer === undefined
          ? { authorizationType: apigateway.AuthorizationType.IAM }
          : {
              authorizationType: apigateway.AuthorizationType.CUSTOM,
              authorizer: this.requestAuthorizer(authorizer),
            }),
        ...(this.options.usagePlan && { apiKeyRequired: true }),
      });
    acknowledge(
      method.node.defaultChild,
      ['AwsSolutions-COG4'],
      'Callers use the platform’s credentials or IAM roles; there are no Cognito users.',
    );
  }

  /** A REQUEST authorizer, because a TOKEN authorizer does not see all Authorization headers and the path. No caching. */
  private requestAuthorizer(authorizer: BundledFunction): apigateway.IAuthorizer {
    return new apigateway.RequestAuthorizer(this, 'Guard', {
      handler: authorizer.function,
      identitySources: [apigateway.IdentitySource.header('Authorization')],
      resultsCacheTtl: Duration.seconds(0),
    });
  }
}

function refuseOtherTenants(tenantIds: readonly string[] | undefined, { tenants }: DeploymentFile): void {
  const allowed = tenants.map(({ tenantId }) => tenantId);
  if (tenantIds?.length === 0)
    throw new Error(`tenantIds: found none; allowed: one or more of ${allowed.join(', ')}`);
  const other = tenantIds?.find((tenantId) => !allowed.includes(tenantId));
  if (other !== undefined)
    throw new Error(`tenantIds: found ${JSON.stringify(other)}; allowed: ${allowed.join(', ')}`);
}
