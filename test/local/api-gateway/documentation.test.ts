import { apiTemplate, type Resources } from './api-template';
import { Gateway } from './gateway';

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway(() => ({ statusCode: 200, body: 'ok' }))));
afterEach(() => gateway.close());

const api = { RestApiId: { Ref: 'Api' } };
const part = (location: object, properties: object = {}): Resources[string] => ({
  Type: 'AWS::ApiGateway::DocumentationPart',
  Properties: { ...api, Location: location, Properties: '{"description":"text"}', ...properties },
});
const version = (name: string): Resources[string] => ({
  Type: 'AWS::ApiGateway::DocumentationVersion',
  Properties: { ...api, DocumentationVersion: name },
});
const OF_METHOD = { Path: '/items', Method: 'POST' };

it('documentation does not change an API’s responses', async () => {
  await gateway.serve({
    more: {
      Whole: part({ Type: 'API' }),
      Success: part({ Type: 'RESPONSE', ...OF_METHOD, StatusCode: '200' }),
      Failure: part({ Type: 'RESPONSE', ...OF_METHOD, StatusCode: '500' }),
      Version: version('one'),
    },
    stage: { DocumentationVersion: 'one' },
  });

  const reply = await gateway.call('/items', { method: 'POST' });

  expect([reply.status, reply.text]).toEqual([200, 'ok']);
});

/** API Gateway developer guide, api-gateway-documenting-api-content-representation: valid location fields */
it.each<[string, Resources, object, RegExp]>([
  ['an unknown type of location', { Part: part({ Type: 'STATUS' }) }, {}, /Type/],
  ['a name for the whole API', { Part: part({ Type: 'API', Name: 'a' }) }, {}, /API has no Name/],
  [
    'a status of a method',
    { Part: part({ Type: 'METHOD', StatusCode: '200' }) },
    {},
    /METHOD has no StatusCode/,
  ],
  [
    'a status that is no number',
    { Part: part({ Type: 'RESPONSE', ...OF_METHOD, StatusCode: 'default' }) },
    {},
    /\[1-5\]\\d\\d, or \*/,
  ],
  [
    'content that is not JSON',
    { Part: part({ Type: 'API' }, { Properties: 'text' }) },
    {},
    /an object as JSON/,
  ],
  [
    'two parts for one location',
    { A: part({ Type: 'API' }), B: part({ Type: 'API' }) },
    {},
    /already exists for: API/,
  ],
  [
    'a part of an unknown API',
    { Part: part({ Type: 'API' }, { RestApiId: 'none' }) },
    {},
    /no REST API none/,
  ],
  ['two versions of one name', { A: version('one'), B: version('one') }, {}, /one already exists/],
  ['a stage with an unknown version', {}, { DocumentationVersion: 'one' }, /no documentation version one/],
])('%s is refused', (_, more, stage, message) => {
  expect(() => gateway.provision(apiTemplate({ more, stage }))).toThrow(message);
});
