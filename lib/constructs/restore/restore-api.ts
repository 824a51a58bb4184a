import { type CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { type DeploymentFile } from '../../../contract/deployment-file';
import { type RestoreMetric } from '../../../contract/metrics';
import { RESTORE_PATH, type RestoreAuth } from '../../../contract/restore-operation';
import { deploymentName } from '../../../contract/token-key';
import { DEFAULT_STAGE_LIMITS } from '../../config/restore-api-settings';
import { type BundledFunction, type FunctionSettings } from '../internal/bundled-function';
import { deploymentMetric } from '../observability/deployment-metric';
import { addGatewayProblems } from './gateway-responses';
import { addRestoreDocumentation } from './restore-documentation';
import { RestoreDomain, type RestoreDomainSettings } from './restore-domain';
import { createAuthorizerFunction, createRestoreFunction } from './restore-functions';
import { createRestoreRestApi } from './restore-rest-api';
import { createRestoreUsagePlan, type RestoreUsagePlanSettings } from './restore-usage-plan';

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
  /**
   * What each tenant may send, in platform mode. Each needs a `UsagePlanMember`, without which its callers are refused.
   * @default as much as the stage admits of all together
   */
  readonly usagePlan?: RestoreUsagePlanSettings;
  /** A regional web ACL in the account and region of the API. @default none */
  readonly webAclArn?: string;
  /** A name of one's own, in place of API Gateway's. @default none */
  readonly domain?: RestoreDomainSettings;
  /** The interface endpoints for execute-api by which a private API is reached. @default everybody reaches it */
  readonly vpcEndpointIds?: string[];
  /** @default each function outside any VPC, with logs kept for 90 days */
  readonly functionSettings?: FunctionSettings;
}

const STAGE = 'v1';

/** Restores archived content through one guarded HTTPS route. */
export class RestoreApi extends Construct {
  /** Base address, without a slash at the end: with the stage, or of the API's own domain. */
  readonly url: string;
  /** What the DNS record of the domain has to point to; undefined where there is none to be made. */
  readonly domainTarget: string | undefined;
  /** Undefined where there is no usage plan. */
  readonly usagePlanId: string | undefined;
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
    refuseContradictions(auth, props);
    this.api = this.createApi(auth);
    addGatewayProblems(this.api, auth);
    const restore = createRestoreFunction(this, props);
    this.restoreArn = restore.function.functionArn;
    const authorizer = auth === 'platform' ? createAuthorizerFunction(this, props) : undefined;
    this.authorizerArn = authorizer?.function.functionArn;
    this.functions = authorizer === undefined ? [restore] : [restore, authorizer];
    this.addRoute(restore, authorizer);
    addRestoreDocumentation(this, this.api, auth);
    this.usagePlanId = this.addUsagePlan();
    const domain = this.addDomain();
    this.url = domain?.url ?? this.api.deploymentStage.urlForPath().replace(/\/$/, '');
    this.domainTarget = props.domain?.hostedZoneId === undefined ? domain?.target : undefined;
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
    return deploymentMetric(this.props.deployment, outcome, options);
  }

  /** Milliseconds that the restore function took for its answers: of nine in ten less, unless told otherwise. */
  metricLatency(options?: cloudwatch.MetricOptions): cloudwatch.Metric {
    const usual = { statistic: cloudwatch.Stats.p(90) };
    return deploymentMetric(this.props.deployment, 'RestoreLatency', { ...usual, ...options });
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
    const { deployment, functionSettings, usagePlan, webAclArn, domain, vpcEndpointIds } = this.props;
    return createRestoreRestApi(this, {
      name: `${deployment.prefix}-${deploymentName(deployment)}`,
      description: `Latchkey restore API of ${deployment.environment} ${deployment.platformRegion}`,
      stageName: STAGE,
      auth,
      ...this.stageLimits(),
      logRetention: functionSettings?.logRetention ?? logs.RetentionDays.THREE_MONTHS,
      usagePlan,
      webAclArn,
      vpcEndpointIds,
      hasDomain: domain !== undefined,
    });
  }

  private addUsagePlan(): string | undefined {
    const { deployment, usagePlan } = this.props;
    if (usagePlan === undefined) return undefined;
    const plan = createRestoreUsagePlan(this, {
      ...usagePlan,
      description: `What each tenant of ${deployment.environment} ${deployment.platformRegion} may restore`,
      api: this.api,
      stageLimits: this.stageLimits(),
    });
    return plan.usagePlanId;
  }

  private addDomain(): RestoreDomain | undefined {
    const { domain } = this.props;
    if (domain === undefined) return undefined;
    const added = new RestoreDomain(this, 'Domain', { ...domain, api: this.api });
    // The CDK would print the address under which the API no longer answers.
    (this.api.node.findChild('Endpoint') as CfnOutput).value = added.url;
    return added;
  }

  private stageLimits(): { rateLimit: number; burstLimit: number } {
    const { rateLimit = DEFAULT_STAGE_LIMITS.rateLimit, burstLimit = DEFAULT_STAGE_LIMITS.burstLimit } =
      this.props;
    return { rateLimit, burstLimit };
  }

  private addRoute(restore: BundledFunction, authorizer: BundledFunction | undefined): void {
    const method = this.api.root
      .resourceForPath(RESTORE_PATH)
      .addMethod('POST', new apigateway.LambdaIntegration(restore.function, { allowTestInvoke: false }), {
        ...(authorizer === undefined
          ? { authorizationType: apigateway.AuthorizationType.IAM }
          : {
              authorizationType: apigateway.AuthorizationType.CUSTOM,
              authorizer: this.guardOf(authorizer),
            }),
        ...(this.props.usagePlan && { apiKeyRequired: true }),
      });
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
}

function refuseContradictions(
  auth: RestoreAuth,
  { usagePlan, domain, vpcEndpointIds }: RestoreApiProps,
): void {
  if (usagePlan !== undefined && auth === 'iam')
    throw new Error('auth: found iam; allowed with usagePlan: platform');
  if (domain !== undefined && vpcEndpointIds !== undefined)
    throw new Error(`domain: found ${domain.name}; allowed with vpcEndpointIds: none`);
}
