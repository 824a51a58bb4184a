import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';

import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type LatchkeyOptions } from '../../options/latchkey-options';
import { acknowledge } from '../internal/acknowledge';
import { createRole } from '../internal/deployment-role';
import { outermostStack } from '../internal/outermost-stack';
import { sayInfo } from '../internal/say-info';

export interface ApiGatewayLoggingProps {
  /** Path and name of the role. @default a role named by CloudFormation */
  readonly roles?: LatchkeyOptions['roles'];
  /** Part of the role's name, if `roles` has a `namePrefix`. @default 'latchkey' */
  readonly prefix?: string;
}

/**
 * API Gateway's logging role. There is one per account and AWS region: this one replaces one that is set already, for all
 * APIs there, and stays when its stack is deleted.
 * @see docs/decisions/0003-own-stack-for-api-gateway-logging.md
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-apigateway-account.html
 */
export class ApiGatewayLogging extends Construct {
  /** The one of a stack and its nested stacks, which is created on the first call. */
  static of(scope: IConstruct, props?: ApiGatewayLoggingProps): ApiGatewayLogging {
    const stack = outermostStack(scope);
    const id = 'LatchkeyApiGatewayLogging';
    return stack.node.tryFindChild(id) ?? new ApiGatewayLogging(stack, id, props);
  }

  constructor(scope: Construct, id: string, { roles, prefix = DEFAULT_PREFIX }: ApiGatewayLoggingProps = {}) {
    super(scope, id);
    const source = { name: 'api-gateway-logging', options: roles, owner: prefix };
    const role = createRole(this, 'LoggingRole', source, {
      description: 'Lets API Gateway write logs',
      assumedBy: new iam.ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [
        iam.ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs'),
      ],
      // IAM's default. Set because an update that changes only the policies below may be ignored:
      // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/1543
      maxSessionDuration: Duration.hours(1),
    });
    sayInfo(
      this,
      'latchkey:apiGatewayAccount',
      'apiGatewayAccount: this sets API Gateway’s logging role of the account and AWS region, for all APIs there, and replaces one that is set; with existing, it stays as it is',
    );
    const account = new apigateway.CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn });
    // CloudFormation leaves the account's setting when it deletes this, also in a rollback. The role stays for other APIs' logs.
    account.applyRemovalPolicy(RemovalPolicy.RETAIN);
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    acknowledge(
      role.node.defaultChild,
      [
        'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      ],
      'API Gateway refuses a logging role with fewer permissions than this policy.',
    );
  }
}
