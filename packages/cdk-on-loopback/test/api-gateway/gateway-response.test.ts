import { gatewayResponse, type Resources } from './api-template';
import { Gateway, neverAnswering, type Reply } from './gateway';
import { THROTTLED } from '../support/invocation-results';

const malformed = (): object => [];

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway(malformed)));
afterEach(() => gateway.close());

const start = (more: Resources, stage: object = {}) =>
  gateway.serve({ more, stage, routes: { 'POST /items/{id}': {} } });
const callUnknown = (headers: Record<string, string> = {}, path = '/unknown') =>
  gateway.call(path, { headers });
const post = (body = ''): Promise<Reply> => gateway.call('/items/1', { method: 'POST', body });

/** API Gateway developer guide: api-gateway-gatewayResponse-definition, supported-gateway-response-types. */
describe('a gateway response', () => {
  it('has its own status, headers and body', async () => {
    await start(
      {
        Custom: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', {
          StatusCode: '404',
          ResponseParameters: {
            'gatewayresponse.header.WWW-Authenticate': `'Basic realm="a", Bearer'`,
            'gatewayresponse.header.X-Path': 'context.path',
            'gatewayresponse.header.X-Given': 'method.request.header.X-Give',
            'gatewayresponse.header.X-Query': 'method.request.querystring.q',
            'gatewayresponse.header.X-Color': 'stageVariables.color',
            'gatewayresponse.header.X-Absent': 'method.request.header.X-Nothing',
          },
          ResponseTemplates: {
            'application/json':
              '{"id":"$context.requestId","m":$context.error.messageString,"n":"$context.error.message","t":"$context.error.responseType","c":"$stageVariables.color","v":"$context.error.validationErrorString"}',
          },
        }),
      },
      { Variables: { color: 'blue' } },
    );

    const { status, headers, text } = await callUnknown({ 'X-Give': 'mine' }, '/unknown?q=1');

    expect(status).toBe(404);
    expect(JSON.parse(text)).toEqual({
      id: headers['x-amzn-requestid'],
      m: 'Missing Authentication Token',
      n: 'Missing Authentication Token',
      t: 'MISSING_AUTHENTICATION_TOKEN',
      c: 'blue',
      v: '',
    });
    // Only headers of functions are renamed.
    expect(headers).toMatchObject({
      'www-authenticate': 'Basic realm="a", Bearer',
      'x-path': '/v1/unknown',
      'x-given': 'mine',
      'x-query': '1',
      'x-color': 'blue',
      'content-type': 'application/json',
      'x-amzn-errortype': 'MissingAuthenticationTokenException',
    });
    expect(headers).not.toHaveProperty('x-absent');
  });

  it('may set a content type other than its template’s', async () => {
    await start({
      Custom: gatewayResponse('DEFAULT_4XX', {
        ResponseParameters: { 'gatewayresponse.header.Content-Type': "'application/problem+json'" },
        ResponseTemplates: { 'application/json': '{}' },
      }),
    });

    const headers = { 'content-type': 'application/problem+json' };
    expect(await callUnknown()).toMatchObject({ status: 403, text: '{}', headers });
  });

  it('never lets a value end a header', async () => {
    await start({
      Custom: gatewayResponse('DEFAULT_4XX', {
        ResponseParameters: { 'gatewayresponse.header.X-Query': 'method.request.querystring.q' },
      }),
    });

    const { headers } = await callUnknown({}, '/unknown?q=a%0D%0AX-Evil:1');

    expect(headers).toMatchObject({ 'x-query': 'a  X-Evil:1' });
    expect(headers).not.toHaveProperty('x-evil');
  });

  it.each([
    ['text/html', 'text/html', '<b>'],
    ['text/html;q=0.9, application/json', 'text/html', '<b>'],
    ['image/png, text/html', 'application/json', '{}'],
    ['*/*', 'application/json', '{}'],
  ])('is chosen by the first media type of Accept: %s', async (accept, mediaType, text) => {
    const ResponseTemplates = { 'text/html': '<b>', 'application/json': '{}' };
    await start({ Custom: gatewayResponse('DEFAULT_4XX', { ResponseTemplates }) });

    expect(await callUnknown({ Accept: accept })).toMatchObject({
      text,
      headers: { 'content-type': mediaType },
    });
  });
});

/** supported-gateway-response-types, rows DEFAULT_4XX and DEFAULT_5XX. */
describe('which gateway response', () => {
  const custom = (type: string, StatusCode: string) => ({
    Custom: gatewayResponse(type, { StatusCode, ResponseTemplates: { 'application/json': '"custom"' } }),
  });

  it.each<[type: string, cause: string, act: () => void]>([
    ['DEFAULT_5XX', 'a malformed result, whose 502 it may change', () => undefined],
    [
      'INTEGRATION_TIMEOUT',
      'a function that does not answer',
      () => gateway.addFunction('backend', () => neverAnswering(gateway)),
    ],
    [
      'INTEGRATION_FAILURE',
      'a function that is throttled',
      () => gateway.addFunction('backend', () => Promise.resolve(THROTTLED)),
    ],
    ['API_CONFIGURATION_ERROR', 'a function without a permission', () => gateway.forbid('backend')],
  ])('is %s for %s', async (type, _, act) => {
    act();
    await start(custom(type, '599'));

    expect(await post()).toMatchObject({ status: 599, text: '"custom"' });
  });

  it('is the type’s own, which wins as a whole over the default', async () => {
    await start({
      Default: gatewayResponse('DEFAULT_4XX', {
        StatusCode: '400',
        ResponseTemplates: { 'application/json': '"default"' },
        ResponseParameters: { 'gatewayresponse.header.X-Default': "'1'" },
      }),
      Own: gatewayResponse('MISSING_AUTHENTICATION_TOKEN', {
        ResponseTemplates: { 'application/json': '"own"' },
      }),
    });

    const reply = await callUnknown();

    expect(reply).toMatchObject({ status: 403, text: '"own"' });
    expect(reply.headers).not.toHaveProperty('x-default');
  });

  it('is the default for the failure’s status class', async () => {
    await start(custom('DEFAULT_5XX', '500'));

    const text = '{"message":"Missing Authentication Token"}';
    expect(await callUnknown()).toMatchObject({ status: 403, text });
  });

  /** api-gateway-known-issues: it cannot be customized. */
  it('is never a customized REQUEST_TOO_LARGE', async () => {
    await start({
      Own: gatewayResponse('REQUEST_TOO_LARGE', { StatusCode: '499' }),
      ...custom('DEFAULT_4XX', '499'),
    });

    const [overApi, overLambda] = await Promise.all(
      [10 * 1024 * 1024 + 1, 6 * 1024 * 1024].map((length) => post('x'.repeat(length))),
    );

    expect([overApi!.status, overLambda!.status]).toEqual([413, 413]);
  });
});
