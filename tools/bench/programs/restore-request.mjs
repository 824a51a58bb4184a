/** One restore: the request to the platform, and API Gateway's event. */
export const TENANT_ID = 'bench-tenant';
export const CONTENT_ID = '6650f1c2a4b8e90012d3f7aa';
export const PATH = `/contents/${CONTENT_ID}/restore`;
export const BODY = JSON.stringify({ authorRef: 'author-4711', collaborationId: 'collaboration-0815' });

const HEADERS = {
  Accept: 'application/json',
  Authorization: 'Basic dGVuYW50OmtleQ==',
  'Content-Type': 'application/json; charset=utf-8',
  Host: 'restore.example.com',
  'User-Agent': 'bench',
  'X-Amzn-Trace-Id': 'Root=1-65f00000-000000000000000000000000',
  'X-Forwarded-For': '192.0.2.1',
  'X-Forwarded-Port': '443',
  'X-Forwarded-Proto': 'https',
};

/** Who called, as the authorizer tells API Gateway. */
export const CALLER = {
  scheme: 'basic',
  caller: 'api-key',
  callerVersion: 'current',
  callerVersionId: '3f1c2b7e-5d4a-4c7e-9b1d-0a2b4c6d8e0f',
};

/** @see API Gateway developer guide, set-up-lambda-proxy-integrations (input format) */
const EVENT = {
  resource: '/tenants/{tenantId}/contents/{contentId}/restore',
  path: `/tenants/${TENANT_ID}${PATH}`,
  httpMethod: 'POST',
  headers: { ...HEADERS },
  multiValueHeaders: Object.fromEntries(Object.entries(HEADERS).map(([name, value]) => [name, [value]])),
  queryStringParameters: null,
  multiValueQueryStringParameters: null,
  pathParameters: { tenantId: TENANT_ID, contentId: CONTENT_ID },
  stageVariables: null,
  requestContext: {
    resourceId: 'any',
    resourcePath: '/tenants/{tenantId}/contents/{contentId}/restore',
    httpMethod: 'POST',
    path: `/v1/tenants/${TENANT_ID}${PATH}`,
    accountId: '111122223333',
    protocol: 'HTTP/1.1',
    stage: 'v1',
    requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
    requestTimeEpoch: 1_767_225_600_000,
    authorizer: { principalId: TENANT_ID, integrationLatency: 12, ...CALLER },
    identity: { sourceIp: '192.0.2.1', userAgent: 'bench' },
    domainName: 'restore.example.com',
    apiId: 'any',
  },
  body: BODY,
  isBase64Encoded: false,
};

/** A proxy event. Each call needs a new object, because middleware stores the parsed body in it. */
export const restoreEvent = () => ({ ...EVENT });

/** The part of a function's context that the candidates read. */
export const CONTEXT = {
  functionName: 'restore',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:restore',
  memoryLimitInMB: '512',
  awsRequestId: '8e9f0a1b-0000-4000-8000-000000000000',
  callbackWaitsForEmptyEventLoop: true,
  getRemainingTimeInMillis: () => 25_000,
};
