import { defaultReadings } from '../../src/api-gateway/readings';
import { uriOf } from './api-template';
import { ANSWER_CASES } from './cases/answers';
import { GATEWAY_ANSWERS, type Trouble } from './cases/gateway-answers';
import { type RequestCase, REQUEST_TABLES } from './cases/requests';
import { functionError, Gateway, neverAnswering } from './gateway';
import { THROTTLED } from '../support/invocation-results';

let gateway: Gateway;

describe.each(REQUEST_TABLES)('an API $api', ({ routes, cases }) => {
  beforeAll(async () => {
    gateway = new Gateway();
    await gateway.serve({ routes: Object.fromEntries(routes.map((route) => [route, {}])) });
  });
  afterAll(() => gateway.close());

  const named = Object.values(cases)
    .flat()
    .map((each): [string, RequestCase] => [titleOf(each), each]);
  it.each(named)('gets %s', async (_, { send, readings, ...expected }) => {
    const [method, path] = send.split(' ') as [string, string];
    const { headers, body, event, headerNames = {}, answer = { status: 200 } } = expected;
    Object.assign(gateway.apis.readings, defaultReadings(), readings);
    gateway.events.length = 0;

    const reply = await gateway.fetch(`/${gateway.api.id}${path}`, { method, headers, body });

    expect(reply).toMatchObject(answer);
    const passed = reply.status === 200 ? [expect.objectContaining({ functionName: 'backend' })] : [];
    expect(gateway.events).toEqual(passed);
    for (const { event: got } of gateway.events) {
      expect(got).toMatchObject(event ?? {});
      const names = [got['headers'], got['multiValueHeaders']].map((each) => Object.keys(each as object));
      for (const [lower, seen] of Object.entries(headerNames))
        expect(names.map((all) => all.filter((name) => name.toLowerCase() === lower))).toEqual([seen, seen]);
    }
  });
});

function titleOf({ send, headers = {}, readings = {} }: RequestCase): string {
  const told = [headers, readings].filter((each) => Object.keys(each).length > 0);
  return [send, ...told.map((each) => JSON.stringify(each))].join(' ');
}

describe('a function that returns', () => {
  let result: unknown;
  beforeAll(async () => {
    gateway = new Gateway(() => result as object);
    await gateway.serve({ routes: { 'ANY /{proxy+}': {} } });
  });
  afterAll(() => gateway.close());

  it.each(ANSWER_CASES)('$what', async ({ result: returned, status, text, headers = {}, absent = [] }) => {
    result = returned;

    const reply = await gateway.call('/test', { method: 'POST' });

    expect(reply.status).toBe(status);
    if (text !== undefined) expect(reply.text).toBe(text);
    const sent = reply.rawHeaders.flatMap((name, n, all) => (n % 2 === 0 ? [[name, all[n + 1]!]] : []));
    for (const [name, values] of Object.entries(headers))
      expect(sent.filter(([each]) => each === name).map(([, value]) => value)).toEqual(values);
    for (const name of absent)
      expect(sent).not.toContainEqual([expect.stringMatching(new RegExp(`^${name}$`, 'i')), 'sent-7']);
  });
});

describe('an API answers by itself a request that is', () => {
  const guarded = { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Guard' } };
  const toFunction = (name: string) => ({
    Integration: { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uriOf(name) },
  });
  const METHODS: Record<Exclude<Trouble, 'unknown'>, object> = {
    throws: {},
    throttled: {},
    slow: {},
    forbidden: toFunction('other'),
    unsigned: { AuthorizationType: 'AWS_IAM' },
    nameless: guarded,
    refused: guarded,
    denied: guarded,
    disallowed: guarded,
    broken: guarded,
  };
  beforeAll(async () => {
    gateway = new Gateway(({ path }) => {
      if (path === '/throws') return functionError('boom');
      return path === '/slow' ? neverAnswering(gateway) : Promise.resolve(THROTTLED);
    });
    gateway.addFunction('other', () => ({}));
    gateway.forbid('other');
    gateway.addFunction('guard', ({ authorizationToken, methodArn }) => {
      if (authorizationToken === 'refused') return functionError('Unauthorized');
      if (authorizationToken === 'broken') return functionError('boom');
      const Effect = authorizationToken === 'denied' ? 'Deny' : 'Allow';
      const Resource = Effect === 'Deny' ? methodArn : 'arn:aws:execute-api:*:*:*/v1/GET/elsewhere';
      const Statement = { Action: 'execute-api:Invoke', Effect, Resource };
      return { principalId: 'user', policyDocument: { Version: '2012-10-17', Statement } };
    });
    const Properties = {
      RestApiId: { Ref: 'Api' },
      Name: 'guard',
      Type: 'TOKEN',
      AuthorizerUri: uriOf('guard'),
      IdentitySource: 'method.request.header.Authorization',
    };
    await gateway.serve({
      routes: Object.fromEntries(Object.entries(METHODS).map(([name, method]) => [`GET /${name}`, method])),
      more: { Guard: { Type: 'AWS::ApiGateway::Authorizer', Properties } },
    });
  });
  afterAll(() => gateway.close());

  it.each(GATEWAY_ANSWERS)('$trouble: $status', async ({ trouble, status, body, errorType }) => {
    const hasToken = ['refused', 'denied', 'disallowed', 'broken'].includes(trouble);

    const reply = await gateway.call(`/${trouble}`, { headers: hasToken ? { authorization: trouble } : {} });

    expect(reply).toMatchObject({
      status,
      text: body,
      headers: {
        'content-type': 'application/json',
        'content-length': String(body.length),
        'x-amzn-errortype': errorType,
      },
    });
  });
});
