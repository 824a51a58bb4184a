import { gatewayResponse, uriOf } from './api-template';
import { type Behavior, functionError, Gateway, neverAnswering } from './gateway';
import { THROTTLED } from '../support/invocation-results';

type Event = Record<string, unknown>;

const answer = (effect: string, event: Event, more: object = {}): object => ({
  principalId: 'user-1',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect: effect, Resource: event['methodArn'] }],
  },
  ...more,
});
const allow = (event: Event): object => answer('Allow', event);
const TOKEN = { headers: { Authorization: 'Bearer t' } };

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway(() => ({ statusCode: 200, body: 'reached' }))));
afterEach(() => gateway.close());

async function start(
  behavior: Behavior,
  { authorizer = {}, api = {}, more = {} }: { authorizer?: object; api?: object; more?: object } = {},
): Promise<void> {
  gateway.addFunction('guard', behavior, 'arn:aws:execute-api:eu-west-1:111111111111:*/authorizers/*');
  const guarded = { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: 'Guard' } };
  const Properties = {
    Name: 'guard',
    RestApiId: { Ref: 'Api' },
    Type: 'TOKEN',
    AuthorizerUri: uriOf('guard'),
    IdentitySource: 'method.request.header.Authorization',
    ...authorizer,
  };
  await gateway.serve({
    api,
    routes: { 'GET /a': guarded, 'GET /b': guarded, 'GET /{proxy+}': guarded },
    more: { Guard: { Type: 'AWS::ApiGateway::Authorizer', Properties }, ...more },
  });
}
const guardEvents = (): Event[] => gateway.eventsOf('guard');

/** API Gateway developer guide: api-gateway-lambda-authorizer-input. */
describe('the event of an authorizer', () => {
  it('TOKEN: the token and the ARN of the method', async () => {
    await start(allow);

    await gateway.call('/a', TOKEN);

    expect(guardEvents()).toEqual([
      {
        type: 'TOKEN',
        authorizationToken: 'Bearer t',
        methodArn: `arn:aws:execute-api:eu-west-1:111111111111:${gateway.api.id}/v1/GET/a`,
      },
    ]);
  });

  it('REQUEST: the request, without its body', async () => {
    await start(allow, { authorizer: { Type: 'REQUEST' } });

    await gateway.call('/x%20y?q=1', TOKEN);

    const [event] = guardEvents();
    expect(event).toMatchObject({
      type: 'REQUEST',
      methodArn: `arn:aws:execute-api:eu-west-1:111111111111:${gateway.api.id}/v1/GET/x%20y`,
      resource: '/{proxy+}',
      path: '/x%20y',
      httpMethod: 'GET',
      headers: { Authorization: 'Bearer t' },
      multiValueHeaders: { Authorization: ['Bearer t'] },
      queryStringParameters: { q: '1' },
      pathParameters: { proxy: 'x%20y' },
      requestContext: { stage: 'v1', resourcePath: '/{proxy+}', path: '/v1/x%20y' },
    });
    expect(event).not.toHaveProperty('body');
  });

  it('finds the identity in any spelling of the header', async () => {
    await start(allow);

    const { status } = await gateway.call('/a', { headers: { AUTHORIZATION: 'x' } });

    expect(status).toBe(200);
  });
});

/** api-gateway-lambda-authorizer-output, apigateway-use-lambda-authorizer. */
describe('the result of an authorizer', () => {
  it('is passed to the integration, as text', async () => {
    await start((event) => answer('Allow', event, { context: { key: 'value', number: 1, flag: true } }));

    await gateway.call('/a', TOKEN);

    expect(gateway.eventsOf('backend')[0]!['requestContext']).toMatchObject({
      authorizer: { principalId: 'user-1', key: 'value', number: '1', flag: 'true', integrationLatency: 0 },
    });
  });

  const problem = (errorType: string) => ({ status: 500, errorType, text: '{"message":null}' });
  const FAILED = problem('AuthorizerFailureException');
  const MISCONFIGURED = problem('AuthorizerConfigurationException');
  const REACHED = { status: 200, errorType: '', text: 'reached' };

  it.each<[string, (event: Event) => object, { status: number; errorType: string; text: string }]>([
    ['nothing in time', () => neverAnswering(gateway), FAILED],
    ['a throttle', () => Promise.resolve(THROTTLED), FAILED],
    [
      'a policy that allows with wildcards',
      () => answer('Allow', { methodArn: 'arn:aws:execute-api:*:*:*/v1/*' }),
      REACHED,
    ],
    ['a usageIdentifierKey too', (event) => answer('Allow', event, { usageIdentifierKey: 'k' }), REACHED],
    ['null', () => null as unknown as object, MISCONFIGURED],
    ['no principalId', () => ({ policyDocument: { Statement: [] } }), MISCONFIGURED],
    ['no policy', () => ({ principalId: 'u' }), MISCONFIGURED],
    ['an unknown effect', (event) => answer('Maybe', event), MISCONFIGURED],
    ['an object in its context', (event) => answer('Allow', event, { context: { a: {} } }), MISCONFIGURED],
  ])('%s', async (_, behavior, { status, errorType, text }) => {
    await start(behavior);

    const reply = await gateway.call('/a', TOKEN);

    expect(reply).toMatchObject({ status, text });
    expect(reply.headers['x-amzn-errortype'] ?? '').toBe(errorType);
    expect(gateway.eventsOf('backend')).toHaveLength(status === 200 ? 1 : 0);
  });

  it('with a condition that is not understood denies, and prints a warning', async () => {
    await start((event) => ({
      principalId: 'u',
      policyDocument: {
        Statement: {
          Effect: 'Allow',
          Action: 'execute-api:Invoke',
          Resource: event['methodArn'],
          Condition: { IpAddress: { 'aws:SourceIp': '127.0.0.1' } },
        },
      },
    }));

    const reply = await gateway.call('/a', TOKEN);

    expect(reply.status).toBe(403);
    expect(gateway.reporter.warnings.join()).toContain('does not understand condition key aws:SourceIp');
  });

  it('requires a permission to invoke the authorizer', async () => {
    await start(allow);
    gateway.forbid('guard');

    const headers = { 'x-amzn-errortype': 'AuthorizerConfigurationException' };
    expect(await gateway.call('/a', TOKEN)).toMatchObject({ status: 500, headers });
  });

  it('is not requested for a method ARN over 1,600 bytes', async () => {
    await start(allow);

    const reply = await gateway.call(`/${'x'.repeat(1600)}`, TOKEN);

    expect(reply).toMatchObject({ status: 414, text: '{"message":"Request URI too long"}' });
    expect(guardEvents()).toEqual([]);
  });

  it('has the gateway response of its type', async () => {
    const challenge = { 'gatewayresponse.header.WWW-Authenticate': "'Basic'" };
    await start(() => functionError('Unauthorized'), {
      more: { Custom: gatewayResponse('UNAUTHORIZED', { ResponseParameters: challenge }) },
    });

    const reply = await gateway.call('/a', TOKEN);

    expect(reply).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Basic' } });
  });
});

/** configure-api-gateway-lambda-authorization: identity sources, token validation. */
describe('without an identity', () => {
  const PATTERN = { IdentityValidationExpression: 'Bearer [a-z]+' };
  const TWO = 'method.request.header.Authorization, method.request.querystring.q';
  it.each<[string, object, string | undefined]>([
    ['an empty header', {}, ''],
    ['a token that does not match the pattern', PATTERN, 'Bearer t1'],
    ['one of two sources missing', { Type: 'REQUEST', IdentitySource: TWO }, 'x'],
    ['an absent stage variable', { Type: 'REQUEST', IdentitySource: 'stageVariables.who' }, undefined],
  ])('%s is 401, and the authorizer is not invoked', async (_, authorizer, Authorization) => {
    await start(allow, { authorizer });

    const reply = await gateway.call('/a', { headers: Authorization === undefined ? {} : { Authorization } });

    expect(reply).toMatchObject({ status: 401, text: '{"message":"Unauthorized"}' });
    expect(guardEvents()).toEqual([]);
  });

  it.each<[string, object, string]>([
    [
      'none, as a REQUEST authorizer may',
      { IdentitySource: { Ref: 'AWS::NoValue' }, AuthorizerResultTtlInSeconds: 0 },
      '/a',
    ],
    [
      'query and context',
      { IdentitySource: 'method.request.querystring.q,context.identity.sourceIp' },
      '/a?q=1',
    ],
  ])('takes identities from %s', async (_, authorizer, path) => {
    await start(allow, { authorizer: { Type: 'REQUEST', ...authorizer } });

    expect((await gateway.call(path)).status).toBe(200);
  });
});

/** configure-api-gateway-lambda-authorization: authorization caching. */
describe('cached results', () => {
  const statuses = async (...paths: string[]): Promise<number[]> => {
    const found: number[] = [];
    for (const path of paths) found.push((await gateway.call(path, TOKEN)).status);
    return found;
  };

  it('last for their time to live on the run’s clock, by identity', async () => {
    await start(allow, { authorizer: { AuthorizerResultTtlInSeconds: 60 } });

    await gateway.call('/a', TOKEN);
    await gateway.clock.advance(59);
    await gateway.call('/a', TOKEN);
    const beforeEnd = guardEvents().length;
    await gateway.call('/a', { headers: { Authorization: 'another' } });
    const forAnother = guardEvents().length;
    await gateway.clock.advance(1);
    await gateway.call('/a', TOKEN);

    expect([beforeEnd, forAnother, guardEvents().length]).toEqual([1, 2, 3]);
  });

  it.each<[string, Behavior, object, number[], number]>([
    ['apply to all methods of the stage: a policy for one denies the others', allow, {}, [200, 403], 1],
    ['are disabled by a time to live of 0', allow, { AuthorizerResultTtlInSeconds: 0 }, [200, 200], 2],
    ['are never errors', () => functionError('Unauthorized'), {}, [401, 401], 2],
  ])('%s', async (_, behavior, authorizer, expected, asked) => {
    await start(behavior, { authorizer });

    expect(await statuses('/a', '/b')).toEqual(expected);
    expect(guardEvents()).toHaveLength(asked);
  });

  it('are passed to the integration like new ones', async () => {
    await start((event) => answer('Allow', event, { context: { key: 'value' } }));

    await gateway.call('/a', TOKEN);
    await gateway.call('/a', TOKEN);

    const [fresh, kept] = gateway.eventsOf('backend').map(({ requestContext }) => requestContext);
    expect(kept).toMatchObject({ authorizer: (fresh as { authorizer: object }).authorizer });
  });
});

/** apigateway-authorization-flow: "Lambda authorizer and resource policy", table A. */
describe('an authorizer with a resource policy', () => {
  const neither = (): object => answer('Allow', { methodArn: 'arn:aws:execute-api:*:*:*/v1/GET/other' });
  const deny = (event: Event): object => answer('Deny', event);

  it.each<[string, string, (event: Event) => object, string, number, number]>([
    ['allow', 'that denies', allow, 'Deny', 403, 0],
    ['allow', 'that is silent', allow, '', 200, 1],
    ['neither', 'that allows', neither, 'Allow', 200, 1],
    ['neither', 'that is silent', neither, '', 403, 1],
    ['deny', 'that allows', deny, 'Allow', 403, 1],
  ])('%s with one %s', async (_, _policy, behavior, effect, status, asked) => {
    const Resource = `execute-api:/v1/GET/${effect === '' ? 'other' : 'a'}`;
    const statement = { Effect: effect || 'Allow', Principal: '*', Action: 'execute-api:Invoke', Resource };
    await start(behavior, { api: { Policy: { Statement: [statement] } } });

    const reply = await gateway.call('/a', TOKEN);

    expect([reply.status, guardEvents().length]).toEqual([status, asked]);
  });
});
