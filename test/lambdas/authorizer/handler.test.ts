import { type APIGatewayRequestAuthorizerEvent, type Context } from 'aws-lambda';

import { type handler as Handler } from '../../../lambdas/authorizer/handler';
import { captureOutput, jsonLines } from '../../support/lambdas/captured-output';
import {
  AwsStub,
  loadBundle,
  type LoadedBundle,
  useAwsEndpoint,
  VERSION_ID,
} from '../../support/lambdas/restore-bundle';
import { restoringDeploymentOf } from '../../support/lambdas/restore-functions';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { trustedServers } from '../../support/lambdas/trusted-servers';
import { restorePath } from '../../support/restore-api/restore-path';

const METHOD_ARN =
  'arn:aws:execute-api:eu-west-2:111122223333:api/v1/POST/tenants/eu-west-2_Acme/contents/c/restore';
const CONTEXT = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 10_000 } as Context;
const API_KEY = 'canary-key';
const WRITE_TOKEN = 'canary-write-token';
const READ_TOKEN = 'canary-read-token';

/** Not the usual one, which wiring might use by mistake. */
const PREFIX = 'acme-tokens';
/** SHA-256 of `["restore usage","acme-tokens","staging","mea","eu-west-2_Acme"]`. */
const USAGE_KEY = '352fe8b421fd4e72963076e7b92b4c65317a09d89080b8d31297d3c99b8a7be1';

const basic = (tenantId: string, apiKey: string) =>
  `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`;

const servers = trustedServers();
let aws: AwsStub;
let authorizer: LoadedBundle<typeof Handler>;
let output: () => string;

beforeEach(async () => {
  const server = await servers.start();
  useAwsEndpoint(server.url);
  aws = new AwsStub(PREFIX);
  server.behavior = aws.behavior;
  authorizer = loadBundle('authorizer', { ...restoringDeploymentOf(), prefix: PREFIX });
  aws.storeApiKey(TENANT_ID, API_KEY);
  aws.storeToken(TENANT_ID, 'api/write', WRITE_TOKEN);
  aws.storeToken(TENANT_ID, 'api/read', READ_TOKEN);
  output = captureOutput();
});
afterEach(() => authorizer.remove());

/** An event of API Gateway for an authorizer of type REQUEST. */
function call(authorization: string[], { tenantId = TENANT_ID, header = 'Authorization' } = {}) {
  const event = {
    type: 'REQUEST',
    methodArn: METHOD_ARN,
    path: restorePath(tenantId, 'c'),
    pathParameters: { tenantId, contentId: 'c' },
    headers: { [header]: authorization.at(-1) },
    multiValueHeaders: { Host: ['restore.example'], [header]: authorization },
    requestContext: { requestId: 'request-1' },
  } as unknown as APIGatewayRequestAuthorizerEvent;
  return authorizer.handler(event, CONTEXT);
}
const policyOf = (effect: 'Allow' | 'Deny', resource = METHOD_ARN) => ({
  principalId: TENANT_ID,
  usageIdentifierKey: USAGE_KEY,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: resource }],
  },
});

// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
describe('the answer to API Gateway', () => {
  test.each<[string, string, object]>([
    ['the API key', basic(TENANT_ID, API_KEY), { scheme: 'basic', caller: 'api-key' }],
    ['a token that may write', `Bearer ${WRITE_TOKEN}`, { scheme: 'bearer', caller: 'content api/write' }],
  ])('allows exactly this method and path with %s, and says who called', async (_, authorization, caller) => {
    const context = { ...caller, callerVersion: 'current', callerVersionId: VERSION_ID };

    expect(await call([authorization])).toEqual({ ...policyOf('Allow'), context });
  });

  test('denies everything to a token with a read scope, which API Gateway turns into a 403', async () => {
    expect(await call([`Bearer ${READ_TOKEN}`])).toEqual(policyOf('Deny', '*'));
  });

  test('finds the header in any case', async () => {
    expect(await call([`Bearer ${WRITE_TOKEN}`], { header: 'aUTHORIZATION' })).toMatchObject(
      policyOf('Allow'),
    );
  });

  test('is exactly “Unauthorized” for a wrong key', async () => {
    // API Gateway answers 401 only for this exact message, and 500 for any other.
    await expect(call([basic(TENANT_ID, 'canary-wrong')])).rejects.toMatchObject({ message: 'Unauthorized' });
  });

  test('is an error that becomes a 500, not “Unauthorized”, if Secrets Manager fails', async () => {
    aws.failure = 'AccessDeniedException';

    for (const authorization of [basic(TENANT_ID, API_KEY), `Bearer ${WRITE_TOKEN}`]) {
      await expect(call([authorization])).rejects.toMatchObject({
        name: 'StoreError',
        message: expect.stringMatching(
          /^secretsmanager:(GetSecretValue|DescribeSecret) on acme-tokens\/staging\/mea\//,
        ) as string,
      });
    }
  });
});

describe('the log', () => {
  const lines = () => jsonLines(output());

  test('says which tenant was authenticated, for which request', async () => {
    await call([basic(TENANT_ID, API_KEY)]);

    expect(lines()).toEqual([
      {
        level: 'INFO',
        timestamp: expect.any(String) as string,
        message: 'caller authenticated',
        requestId: 'invocation-1',
        tenantId: TENANT_ID,
        code: 'allowed',
        apiRequestId: 'request-1',
      },
    ]);
  });

  test('is the same for an unknown tenant as for a wrong key, and without the tenant', async () => {
    await call([basic(TENANT_ID, 'wrong')]).catch(() => undefined);
    const tenantId = 'eu-west-2_Unknown';
    await call([basic(tenantId, 'wrong')], { tenantId }).catch(() => undefined);

    const [one, other] = lines().map((line) => ({ ...line, timestamp: '' }));
    expect(one).toEqual(other);
    expect(output()).not.toContain('eu-west-2');
  });

  test('never contains a presented or stored secret, and neither does an error', async () => {
    const errors: string[] = [];
    const presented = [
      basic(TENANT_ID, API_KEY),
      basic(TENANT_ID, 'canary-wrong'),
      `Bearer ${WRITE_TOKEN}`,
      `Bearer ${READ_TOKEN}`,
      'Bearer canary-wrong',
      'canary-wrong',
    ];
    for (const failure of [undefined, 'AccessDeniedException']) {
      aws.failure = failure;
      for (const authorization of presented) {
        await call([authorization]).catch((error: Error) => errors.push(`${error.message} ${error.stack}`));
      }
    }

    const written = output() + errors.join('\n');
    for (const secret of ['canary', ...presented.map((authorization) => authorization.replace(/^\w+ /, ''))])
      expect(written).not.toContain(secret);
  });
});
