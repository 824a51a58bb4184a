import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Latchkey } from 'latchkey/constructs';

const TENANT_ID = 'eu-west-2_StagingAb';

const stack = new Stack(new App(), 'learning', { env: { account: '111122223333', region: 'eu-west-1' } });

const latchkey = new Latchkey(stack, 'Latchkey', {
  environment: 'staging',
  endpoints: {
    contentBaseUrl: 'https://api.staging.platform.example/rest/v1',
    contentTokenBaseUrl: 'https://auth.staging.platform.example',
  },
  tenants: [{ tenantId: TENANT_ID, tokens: [{ interface: 'content', scope: 'api/read' }] }],
  events: true,
});

// One for each process of the service. An event that nobody took in five minutes is of no use anymore.
const renewals = new Queue(stack, 'Renewals', { enforceSSL: true, retentionPeriod: Duration.minutes(5) });
latchkey.onTokenRenewed('Renewed', { target: new SqsQueue(renewals), tenantId: TENANT_ID });

const service = new Role(stack, 'Service', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
renewals.grantConsumeMessages(service);
latchkey.token(TENANT_ID, 'content', 'api/read').grantReadToken(service);
latchkey.grantEnsureFresh(service);

new CfnOutput(stack, 'QueueUrl', { value: renewals.queueUrl });
new CfnOutput(stack, 'TokenRefreshArn', { value: latchkey.tokenRefreshArn });
