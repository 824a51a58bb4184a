import { addRole, trustIn } from '../../src/testing/account-parts';
import { uriOf } from './api-template';
import { type Behavior, Gateway, type Reply } from './gateway';

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway()));
afterEach(() => gateway.close());

const post = (): Promise<Reply> => gateway.call('/items', { method: 'POST' });
async function call(behavior: Behavior): Promise<Reply> {
  gateway.addFunction('backend', behavior);
  await gateway.serve();
  return post();
}

/** API Gateway developer guide: set-up-lambda-proxy-integrations, "Output format of a Lambda function for proxy integration". */
describe('the response of a proxy integration', () => {
  it('has no body and no length for 204', async () => {
    const reply = await call(() => ({ statusCode: 204, body: 'ignored' }));

    expect(reply).toMatchObject({ status: 204, text: '' });
    expect(reply.headers).not.toHaveProperty('content-length');
  });

  it('is malformed: the run prints a warning', async () => {
    const reply = await call(() => []);

    expect(reply.status).toBe(502);
    expect(gateway.reporter.warnings.join()).toContain('returned no proxy result');
  });
});

/** API Gateway developer guide: handle-errors-in-lambda-integration, supported-gateway-response-types. */
describe('a function without a response', () => {
  it('is 500 on an internal error, and the warning has only the error’s name', async () => {
    const reply = await call(() => {
      throw new RangeError('a secret');
    });

    expect(reply).toMatchObject({
      status: 500,
      text: '{"message": "Internal server error"}',
      headers: { 'x-amzn-errortype': 'InternalServerErrorException' },
    });
    expect(gateway.reporter.warnings).toEqual([
      'the local API Gateway failed to handle a request: RangeError',
    ]);
  });

  it('is 500 when it has no permission for API Gateway', async () => {
    gateway.forbid('backend');
    await gateway.serve();

    expect((await post()).status).toBe(500);
    expect(gateway.reporter.warnings.join()).toMatch(/lambda:InvokeFunction on resource: arn:aws:lambda/);
    expect(gateway.events).toEqual([]);
  });

  it('is 500 when the permission is for another method', async () => {
    gateway.addFunction('backend', () => ({ statusCode: 200 }), 'arn:aws:execute-api:*:*:*/v1/GET/items');
    await gateway.serve({ routes: { 'POST /items': {}, 'GET /items': {} } });

    const statuses = [(await post()).status, (await gateway.call('/items')).status];

    expect(statuses).toEqual([500, 200]);
  });

  it('is 500 when the function was deleted', async () => {
    gateway.account.functions.clear();
    await gateway.serve();

    expect((await post()).status).toBe(500);
  });
});

/** API Gateway developer guide: permissions, "API Gateway permissions model for invoking an API". */
describe('an integration with a role', () => {
  it.each([
    ['may invoke the function', 'apigateway.amazonaws.com', 'lambda:InvokeFunction', 200],
    ['that API Gateway may not assume', 'lambda.amazonaws.com', 'lambda:InvokeFunction', 500],
    ['lacks the permission', 'apigateway.amazonaws.com', 'lambda:GetFunction', 500],
  ])('%s', async (_, Service, Action, status) => {
    gateway.forbid('backend');
    const statement = { Effect: 'Allow' as const, Action, Resource: '*' };
    const Credentials = addRole(gateway.account, 'gateway', [statement], trustIn(Service));
    const proxy = { Type: 'AWS_PROXY', IntegrationHttpMethod: 'POST', Uri: uriOf('backend') };
    await gateway.serve({ routes: { 'POST /items': { Integration: { ...proxy, Credentials } } } });

    expect((await post()).status).toBe(status);
  });
});
