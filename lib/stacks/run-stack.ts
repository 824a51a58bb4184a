import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import { type Construct } from 'constructs';

import { parameterName } from '../../core/deployment/parameter-names';
import { restorePathPattern } from '../../core/restore/restore-operation';
import { deploymentKeyOf, tenantKeyOf, tokenKeyOf } from '../../core/tokens/token-key';
import { type DeploymentKey, type TokenKey } from '../../core/tokens/published-keys';
import { type DeploymentConfiguration } from '../options/schema';
import { Latchkey } from '../constructs/latchkey';
import { addGatewayProblems } from '../constructs/restore/gateway-responses';
import { TokenSecret } from '../constructs/tokens/token-secret';

export interface RunStackProps extends StackProps {
  readonly prefix: string;
  readonly deployment: DeploymentConfiguration;
}

/** The code of functions that fail. The last part of the path says how. */
const FAILING = `
const ways = {
  crash: () => { throw new Error('as asked'); },
  exit: () => process.exit(1),
  malformed: () => 'no response',
  slow: () => new Promise((resolve) => setTimeout(resolve, 20000)),
};
exports.handler = async ({ pathParameters: { way } }) => (ways[way] ?? (() => ({ statusCode: 200, body: way })))();
`;

/**
 * What a run of `latchkey prove` needs besides Latchkey: the roles of an operator, of a service and of a function, and an API whose
 * functions fail. Principals of the account may assume the roles if their own policies allow it. The stack finds the deployment
 * by its parameters: with references, CloudFormation could refuse a change of the deployment's stack.
 */
export class RunStack extends Stack {
  constructor(scope: Construct, id: string, { prefix, deployment, ...props }: RunStackProps) {
    super(scope, id, props);
    const latchkey = Latchkey.fromLookup(this, 'Latchkey', {
      ...(deploymentKeyOf(deployment) as DeploymentKey),
      prefix,
    });
    const assumedBy = new iam.AccountRootPrincipal();

    const policyArn = ssm.StringParameter.valueForStringParameter(
      this,
      parameterName(prefix, deployment, 'operator-policy-arn'),
    );
    const operator = new iam.Role(this, 'Operator', {
      assumedBy,
      managedPolicies: [iam.ManagedPolicy.fromManagedPolicyArn(this, 'OperatorPolicy', policyArn)],
    });

    const service = new iam.Role(this, 'Service', { assumedBy });
    for (const { tenantId, tokens } of deployment.tenants) {
      for (const token of tokens) {
        const key = tokenKeyOf(tenantKeyOf(deployment, tenantId), token) as TokenKey;
        TokenSecret.fromKey(this, key, { prefix }).grantReadToken(service);
      }
    }
    latchkey.grantEnsureFresh(service);
    iam.Grant.addToPrincipal({
      grantee: service,
      actions: ['execute-api:Invoke'],
      // Any API of the account that has this route: the id of ours is known in its own stack only.
      resourceArns: [
        this.formatArn({
          service: 'execute-api',
          resource: '*',
          resourceName: `*/POST${restorePathPattern('*')}`,
        }),
      ],
    });

    const describer = new iam.Role(this, 'Describer', { assumedBy });
    iam.Grant.addToPrincipal({
      grantee: describer,
      actions: ['secretsmanager:DescribeSecret'],
      resourceArns: ['*'],
      conditions: { StringLike: { 'secretsmanager:SecretId': `${prefix}/*` } },
    });

    new CfnOutput(this, 'OperatorRoleArn', { value: operator.roleArn });
    new CfnOutput(this, 'ServiceRoleArn', { value: service.roleArn });
    new CfnOutput(this, 'DescriberRoleArn', { value: describer.roleArn });
    new CfnOutput(this, 'FailingUrl', { value: this.addFailingApi().url });
  }

  /** An API whose functions fail, with the gateway responses of the restore API. */
  private addFailingApi(): apigateway.RestApi {
    const failing = (id: string, reservedConcurrentExecutions?: number) =>
      new lambda.Function(this, id, {
        code: lambda.Code.fromInline(FAILING),
        handler: 'index.handler',
        // By its name, because older versions of aws-cdk-lib have no constant for it.
        runtime: new lambda.Runtime('nodejs24.x', lambda.RuntimeFamily.NODEJS, { supportsInlineCode: true }),
        timeout: Duration.seconds(2),
        logGroup: new logs.LogGroup(this, `${id}Log`, {
          retention: logs.RetentionDays.ONE_DAY,
          removalPolicy: RemovalPolicy.DESTROY,
        }),
        reservedConcurrentExecutions,
      });
    const integrate = (fn: lambda.Function) =>
      new apigateway.LambdaIntegration(fn, { allowTestInvoke: false });
    const api = new apigateway.RestApi(this, 'FailingApi', {
      endpointConfiguration: { types: [apigateway.EndpointType.REGIONAL] },
      // The account's logging role is not ours to change.
      cloudWatchRole: false,
    });
    addGatewayProblems(api, 'platform');
    api.root.addResource('{way}').addMethod('GET', integrate(failing('Failing')));
    // A reserved concurrency of zero throttles every call, and every account can set it.
    api.root.addResource('throttled').addMethod('GET', integrate(failing('Throttled', 0)));
    return api;
  }
}
