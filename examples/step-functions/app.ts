import { App, Aws, Duration, Fn, Stack } from 'aws-cdk-lib';
import { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import {
  Choice,
  Condition,
  CustomState,
  DefinitionBody,
  Fail,
  JitterType,
  StateMachine,
  Succeed,
  TaskInput,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Latchkey } from 'latchkey/constructs';

const TENANT_ID = 'eu-west-2_StagingAb';
const CONTENT_BASE_URL = 'https://api.staging.platform.example/rest/v1';

const stack = new Stack(new App(), 'learning', { env: { account: '111122223333', region: 'eu-west-1' } });

const latchkey = new Latchkey(stack, 'Latchkey', {
  environment: 'staging',
  endpoints: {
    contentBaseUrl: CONTENT_BASE_URL,
    contentTokenBaseUrl: 'https://auth.staging.platform.example',
  },
  tenants: [
    {
      tenantId: TENANT_ID,
      tokens: [
        { interface: 'content', scope: 'api/read' },
        { interface: 'content', scope: 'api/write' },
      ],
    },
  ],
  restore: { available: true },
  restoreApi: { auth: 'iam' }, // Step Functions signs its requests with the role of the state machine
});

const restored = new Succeed(stack, 'Restored');
const noToken = new Fail(stack, 'NoToken', { error: 'NoToken', causePath: '$.token.error.message' });
const refused = new Fail(stack, 'Refused', {
  comment: 'The content was not modified.',
  errorPath: '$.failure.Error',
  causePath: '$.failure.Cause',
});
const notPublished = new Fail(stack, 'NotPublished', {
  error: 'NotPublished',
  cause: 'A person decides, since somebody may have archived the content again.',
});

/** Tells whether the content is published. */
const lookFunction = new NodejsFunction(stack, 'LookFunction', {
  entry: 'look.ts',
  runtime: Runtime.NODEJS_22_X,
  timeout: Duration.seconds(60),
  environment: { CONTENT_BASE_URL, TENANT_ID, TOKEN_REFRESH_ARN: latchkey.tokenRefreshArn },
});
latchkey.token(TENANT_ID, 'content', 'api/read').grantReadToken(lookFunction);
latchkey.grantEnsureFresh(lookFunction);

const look = new LambdaInvoke(stack, 'Look', {
  lambdaFunction: lookFunction,
  payloadResponseOnly: true,
  resultPath: '$.look',
}).next(
  new Choice(stack, 'IsPublished')
    .when(Condition.booleanEquals('$.look.isPublished', true), restored)
    .otherwise(notPublished),
);

const [, , host, stage] = Fn.split('/', latchkey.restoreApi!.url, 4) as [string, string, string, string];

/** @see https://docs.aws.amazon.com/step-functions/latest/dg/connect-api-gateway.html */
const restore = new CustomState(stack, 'Restore', {
  stateJson: {
    Type: 'Task',
    Resource: `arn:${Aws.PARTITION}:states:::apigateway:invoke`,
    Parameters: {
      ApiEndpoint: host,
      Stage: stage,
      'Path.$': `States.Format('tenants/${TENANT_ID}/contents/{}/restore', $.contentId)`,
      Method: 'POST',
      AuthType: 'IAM_ROLE',
      Headers: { 'Content-Type': ['application/json'] },
      RequestBody: { 'authorRef.$': '$.authorRef' },
    },
    TimeoutSeconds: 60,
    ResultPath: '$.record',
  },
})
  .addRetry({
    errors: ['ApiGateway.429', 'ApiGateway.502'], // both promise that the content was not modified
    interval: Duration.seconds(2),
    maxAttempts: 6,
    jitterStrategy: JitterType.FULL,
  })
  // 409: the content is not archived, perhaps because an earlier execution restored it.
  .addCatch(look, { errors: ['ApiGateway.409'], resultPath: '$.failure' })
  .addCatch(refused, {
    errors: [400, 403, 404, 413, 415, 422, 429, 501, 502].map((status) => `ApiGateway.${status}`),
    resultPath: '$.failure',
  })
  // Anything else, such as 500, 504 or no answer: the content may have been restored, so nothing is repeated.
  .addCatch(look, { resultPath: '$.failure' })
  .next(restored);

const ensureToken = new LambdaInvoke(stack, 'EnsureToken', {
  lambdaFunction: LambdaFunction.fromFunctionArn(stack, 'TokenRefresh', latchkey.tokenRefreshArn),
  payload: TaskInput.fromObject({
    action: 'ensure',
    tenantId: TENANT_ID,
    interface: 'content',
    scope: 'api/write',
  }),
  payloadResponseOnly: true,
  resultPath: '$.token',
})
  // token-refresh runs once at a time.
  .addRetry({ errors: ['Lambda.TooManyRequestsException'], maxAttempts: 6, jitterStrategy: JitterType.FULL })
  .next(
    new Choice(stack, 'HasToken')
      .when(Condition.booleanEquals('$.token.ok', true), restore)
      .otherwise(noToken),
  );

const stateMachine = new StateMachine(stack, 'RestoreContent', {
  definitionBody: DefinitionBody.fromChainable(ensureToken),
});
latchkey.restoreApi!.grantRestore(stateMachine, { tenantIds: [TENANT_ID] });
