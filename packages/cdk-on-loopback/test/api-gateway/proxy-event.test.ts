import { NOW_MS } from '../../src/testing/stacks';
import { apiTemplate } from './api-template';
import { Gateway } from './gateway';

type Event = Record<string, unknown> & { headers: object; multiValueHeaders: object; requestContext: object };

let gateway: Gateway;
beforeEach(async () => {
  gateway = new Gateway();
  gateway.addFunction('backend', () => ({ statusCode: 200 }));
  gateway.provision(
    apiTemplate({
      routes: { 'POST /hello/{name}': {}, 'GET /hello/{name}': {} },
      stage: { Variables: { color: 'blue' } },
    }),
  );
  await gateway.start();
});
afterEach(() => gateway.close());

const event = (): Event => gateway.events[0]!.event as Event;

/** API Gateway developer guide: set-up-lambda-proxy-integrations, "Input format of a Lambda function for proxy integration". */
describe('the event of a proxy integration', () => {
  it('has every member of format version 1.0', async () => {
    await gateway.call('/hello/world?name=me&name=you&empty=&q=a+b%26c', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': 'test', 'X-Many': ['one', 'two'] },
      body: '{"a":1}',
    });

    const { origin, api } = gateway;
    const host = new URL(origin).host;
    expect(event()).toEqual({
      resource: '/hello/{name}',
      path: '/hello/world',
      httpMethod: 'POST',
      headers: expect.objectContaining({
        'Content-Type': 'application/json',
        'X-Many': 'two',
        Host: host,
        'X-Forwarded-For': '127.0.0.1',
        'X-Forwarded-Port': '443',
        'X-Forwarded-Proto': 'https',
      }) as object,
      multiValueHeaders: expect.objectContaining({
        'X-Many': ['one', 'two'],
        'User-Agent': ['test'],
      }) as object,
      queryStringParameters: { name: 'you', empty: '', q: 'a b&c' },
      multiValueQueryStringParameters: { name: ['me', 'you'], empty: [''], q: ['a b&c'] },
      pathParameters: { name: 'world' },
      stageVariables: { color: 'blue' },
      requestContext: {
        resourceId: [...api.resources.values()].at(-1)!.id,
        resourcePath: '/hello/{name}',
        httpMethod: 'POST',
        extendedRequestId: expect.any(String) as string,
        requestTime: '01/Jan/2026:00:00:00 +0000',
        path: '/v1/hello/world',
        accountId: '111111111111',
        protocol: 'HTTP/1.1',
        stage: 'v1',
        deploymentId: [...api.deployments.keys()][0],
        domainPrefix: api.id,
        requestTimeEpoch: NOW_MS,
        requestId: expect.any(String) as string,
        identity: {
          cognitoIdentityPoolId: null,
          accountId: null,
          cognitoIdentityId: null,
          caller: null,
          sourceIp: '127.0.0.1',
          principalOrgId: null,
          accessKey: null,
          cognitoAuthenticationType: null,
          cognitoAuthenticationProvider: null,
          userArn: null,
          userAgent: 'test',
          user: null,
        },
        domainName: host,
        apiId: api.id,
      },
      body: '{"a":1}',
      isBase64Encoded: false,
    });
  });

  it('has the request ids that the caller gets', async () => {
    const { headers } = await gateway.call('/hello/x', { method: 'GET' });

    expect(event().requestContext).toMatchObject({
      requestId: headers['x-amzn-requestid'],
      extendedRequestId: headers['x-amz-apigw-id'],
    });
  });

  it('has a body that is not UTF-8 as text, since no media type is binary', async () => {
    await gateway.call('/hello/x', { method: 'POST', body: Buffer.from([0xff, 0x41]) });

    expect(event()).toMatchObject({ isBase64Encoded: false, body: '\ufffdA' });
  });

  it('forwards Authorization, unless it is a signature', async () => {
    await gateway.call('/hello/x', { method: 'GET', headers: { Authorization: 'Bearer t' } });
    await gateway.call('/hello/x', { method: 'GET', headers: { Authorization: 'AWS4-HMAC-SHA256 x' } });

    const [bearer, signed] = gateway.eventsOf('backend');
    expect(bearer!['headers']).toHaveProperty('Authorization', 'Bearer t');
    expect(signed!['headers']).not.toHaveProperty('Authorization');
  });

  it('adds the caller to X-Forwarded-For', async () => {
    await gateway.call('/hello/x', { method: 'GET', headers: { 'X-Forwarded-For': '192.0.2.1' } });

    expect(event().headers).toMatchObject({ 'X-Forwarded-For': '192.0.2.1, 127.0.0.1' });
  });
});

/** API Gateway developer guide: limits. */
describe('limits', () => {
  it('allow 10,240 bytes of request line and header values, and no more', async () => {
    const used =
      `GET ${gateway.base}/hello/x HTTP/1.1`.length + new URL(gateway.origin).host.length + 'close'.length;
    const call = (length: number) =>
      gateway.call('/hello/x', { method: 'GET', headers: { 'X-Long': 'x'.repeat(length) } });

    const fits = await call(10_240 - used);
    const tooLong = await call(10_241 - used);

    expect([fits.status, tooLong.status]).toEqual([200, 431]);
  });

  it.each([
    ['a body over 10 MB before anything else', '/unknown', 10 * 1024 * 1024 + 1],
    ['an event over Lambda’s 6 MB', '/hello/x', 6 * 1024 * 1024],
  ])('reject %s', async (_, path, bytes) => {
    const reply = await gateway.call(path, { method: 'POST', body: 'x'.repeat(bytes) });

    expect(reply).toMatchObject({ status: 413, text: '{"message":"Request Too Long"}' });
    expect(gateway.events).toEqual([]);
  });
});
