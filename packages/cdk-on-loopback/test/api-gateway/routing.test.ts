import { defaultReadings } from '../../src/api-gateway/readings';
import { Gateway } from './gateway';

const ROUTES = {
  'GET /': {},
  'GET /pets': {},
  'GET /pets/{petId}': {},
  'GET /pets/mine': {},
  'ANY /pets/{petId}/toys/{toyId}': {},
  'POST /pets/{petId}/toys/{toyId}': {},
  'GET /{proxy+}': {},
  'GET /pets/{petId}/files/{file+}': {},
};
const MISSING = { status: 403, text: '{"message":"Missing Authentication Token"}' };

let gateway: Gateway;
beforeAll(async () => {
  gateway = new Gateway();
  await gateway.serve({ routes: ROUTES });
});
beforeEach(() => {
  gateway.events.length = 0;
  Object.assign(gateway.apis.readings, defaultReadings());
});
afterAll(() => gateway.close());

/** API Gateway developer guide: api-gateway-method-settings-method-request, set-up-lambda-proxy-integrations. */
describe('paths', () => {
  it.each([
    ['/', '/', null],
    ['', '/', null],
    ['/pets', '/pets', null],
    ['/pets/', '/pets', null],
    ['/pets?a=1', '/pets', null],
    ['/pets/mine', '/pets/mine', null],
    ['/pets/7', '/pets/{petId}', { petId: '7' }],
    ['/pets/7/files/a/b.txt', '/pets/{petId}/files/{file+}', { petId: '7', file: 'a/b.txt' }],
    ['/pets/mine/files/a', '/pets/{petId}/files/{file+}', { petId: 'mine', file: 'a' }],
    ['/birds/7', '/{proxy+}', { proxy: 'birds/7' }],
    ['/pets/7/toys', '/{proxy+}', { proxy: 'pets/7/toys' }],
  ])('%s is for %s', async (path, resource, pathParameters) => {
    const { status } = await gateway.call(path, { method: 'GET' });

    expect(status).toBe(200);
    expect(gateway.events[0]!.event).toMatchObject({ resource, pathParameters });
  });

  it.each([
    ['a%20b%2Fc%C3%A9', 'a b/cé'],
    ['%252F', '%2F'],
    ['%7BpetId%7D', '{petId}'],
    ['%41', 'A'],
  ])('a variable gets %s as it was sent, or decoded as %s', async (petId, decoded) => {
    await gateway.call(`/pets/${petId}`);
    gateway.apis.readings.pathParameters = 'decoded';
    await gateway.call(`/pets/${petId}`);

    const path = `/pets/${petId}`;
    expect(gateway.events.map(({ event }) => event)).toMatchObject([
      { pathParameters: { petId }, path },
      { pathParameters: { petId: decoded }, path },
    ]);
  });

  it('rejects a path that is not percent-encoding', async () => {
    const reply = await gateway.call('/pets/%zz', { method: 'GET' });

    expect(reply).toMatchObject({ status: 400, text: '{"message":"Bad Request"}' });
  });
});

/** API Gateway developer guide: supported-gateway-response-types (MISSING_AUTHENTICATION_TOKEN). */
describe('methods', () => {
  it.each([
    ['DELETE', '/pets//toys/1'],
    ['POST', '/pets'],
    ['POST', '/birds'],
    ['DELETE', '/pets/7'],
  ])('%s %s, which the API does not have, is a missing authentication token', async (method, path) => {
    const reply = await gateway.call(path, { method });

    const errorType = { 'x-amzn-errortype': 'MissingAuthenticationTokenException' };
    expect(reply).toMatchObject({ ...MISSING, headers: errorType });
    expect(gateway.events).toEqual([]);
  });

  it.each(['PUT', 'DELETE', 'OPTIONS'])('ANY stands for %s', async (method) => {
    const { status } = await gateway.call('/pets/1/toys/2', { method });

    expect(status).toBe(200);
    expect(gateway.events[0]!.event).toMatchObject({ httpMethod: method });
  });

  it('uses the method in X-HTTP-Method-Override, and forwards that header', async () => {
    await gateway.call('/pets/1/toys/2', { method: 'POST', headers: { 'X-HTTP-Method-Override': 'PATCH' } });

    const { httpMethod, headers } = gateway.events[0]!.event;
    expect(httpMethod).toBe('PATCH');
    expect(headers).not.toHaveProperty('X-HTTP-Method-Override');
  });
});

/** https://github.com/HumanCellAtlas/data-store/issues/328: AWS was also seen to read the header of an undefined route. */
describe('an undefined route, if API Gateway reads its Authorization as a signature', () => {
  beforeEach(() => (gateway.apis.readings.undefinedRoutes = 'signature'));

  it.each<[string, Record<string, string>, string, RegExp]>([
    ['without the header', {}, 'MissingAuthenticationTokenException', /^Missing Authentication Token$/],
    ['with another scheme', { authorization: 'Bearer t' }, 'IncompleteSignatureException', /algorithm/],
    [
      'with an incomplete signature',
      { authorization: 'AWS4-HMAC-SHA256 Credential=x' },
      'IncompleteSignatureException',
      /Credential/,
    ],
  ])('%s', async (_, headers, errorType, message) => {
    const reply = await gateway.call('/birds', { method: 'POST', headers });

    expect(reply).toMatchObject({ status: 403, headers: { 'x-amzn-errortype': errorType } });
    expect((JSON.parse(reply.text) as { message: string }).message).toMatch(message);
  });

  it('with a valid signature', async () => {
    const reply = await gateway.callSigned('/birds', gateway.credentials.issueForAdministrator());

    expect(reply).toMatchObject(MISSING);
  });

  it('leaves defined routes alone', async () => {
    const { status } = await gateway.call('/pets', { headers: { authorization: 'Bearer t' } });

    expect(status).toBe(200);
  });
});
