import { type Account } from '../account';
import { type RestApis } from './rest-api';

/**
 * Prepares the account as one is in which somebody has turned API Gateway's logging on: with a role that API Gateway may assume
 * and that may do what the AWS managed policy AmazonAPIGatewayPushToCloudWatchLogs allows. For stacks that rely on such a role.
 * @see API Gateway developer guide, set-up-logging (permissions)
 */
export function prepareLogging(account: Account, apis: RestApis): void {
  const name = 'api-gateway-logging';
  const arn = `arn:aws:iam::${account.accountId}:role/${name}`;
  const actions = ['CreateLogGroup', 'CreateLogStream', 'PutLogEvents'].map((action) => `logs:${action}`);
  account.roles.set(arn, {
    arn,
    name,
    assumeRolePolicy: {
      Version: '2012-10-17',
      Statement: {
        Effect: 'Allow',
        Principal: { Service: 'apigateway.amazonaws.com' },
        Action: 'sts:AssumeRole',
      },
    },
    inlinePolicies: [
      {
        name: 'push-to-cloudwatch-logs',
        document: {
          Version: '2012-10-17',
          Statement: { Effect: 'Allow', Action: actions, Resource: '*' },
        },
      },
    ],
    managedPolicyArns: [],
  });
  apis.cloudWatchRoleArn = arn;
}
