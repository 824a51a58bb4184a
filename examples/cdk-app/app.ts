import { App, Duration, Stack } from 'aws-cdk-lib';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
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
  tenants: [{ tenantId: TENANT_ID, tokens: [{ interface: 'content', scope: 'api/read' }] }],
});
const token = latchkey.token(TENANT_ID, 'content', 'api/read');
const service = new NodejsFunction(stack, 'Service', {
  entry: 'service.ts',
  runtime: Runtime.NODEJS_22_X,
  timeout: Duration.seconds(60),
  environment: { CONTENT_BASE_URL, ...token.environment() },
});
token.grantReadToken(service);
latchkey.grantEnsureFresh(service);
