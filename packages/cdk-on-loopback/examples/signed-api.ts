/** A REST API that answers only requests with the signature of a role that may call it. */
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { AuthorizationType, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Code, Function, Runtime } from 'aws-cdk-lib/aws-lambda';

const stack = new Stack(new App(), 'signed-api');
const greet = new Function(stack, 'Greet', {
  runtime: Runtime.NODEJS_22_X,
  handler: 'index.handler',
  code: Code.fromInline(`
exports.handler = async ({ requestContext: { identity } }) => ({
  statusCode: 200,
  body: JSON.stringify({ hello: identity.userArn }),
});
`),
});
const api = new RestApi(stack, 'Api', { cloudWatchRole: false });
const method = api.root
  .addResource('greeting')
  .addMethod('GET', new LambdaIntegration(greet), { authorizationType: AuthorizationType.IAM });

const guest = new Role(stack, 'Guest', { assumedBy: new AccountRootPrincipal() });
const stranger = new Role(stack, 'Stranger', { assumedBy: new AccountRootPrincipal() });
method.grantExecute(guest);
new CfnOutput(stack, 'GuestRole', { value: guest.roleArn });
new CfnOutput(stack, 'StrangerRole', { value: stranger.roleArn });
