import { gatewayResponse } from './api-template';
import { Gateway } from './gateway';

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway()));
afterEach(() => gateway.close());

const ALL = { ResourcePath: '/*', HttpMethod: '*' };

const start = (...MethodSettings: object[]) =>
  gateway.serve({
    routes: { 'GET /': {}, 'GET /a': {}, 'GET /b/{c}': {} },
    stage: { MethodSettings },
    more: {
      Custom: gatewayResponse('THROTTLED', {
        ResponseParameters: { 'gatewayresponse.header.Retry-After': "'1'" },
      }),
    },
  });
async function statuses(...paths: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const path of paths) found.push((await gateway.call(path)).status);
  return found;
}

/** API Gateway developer guide: api-gateway-request-throttling. */
describe('throttling', () => {
  it('allows a burst, then the rate on the run’s clock', async () => {
    await start({ ...ALL, ThrottlingRateLimit: 0.5, ThrottlingBurstLimit: 2 });

    const burst = await statuses('/a', '/a', '/a');
    await gateway.clock.advance(2);
    const refilled = await statuses('/a', '/a');
    await gateway.clock.advance(3600);
    const full = await statuses('/a', '/a', '/a');

    expect([burst, refilled, full]).toEqual([
      [200, 200, 429],
      [200, 429],
      [200, 200, 429],
    ]);
  });

  it('returns the gateway response THROTTLED, and invokes nothing', async () => {
    await start({ ...ALL, ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 });

    const reply = await gateway.call('/a');

    expect(reply).toMatchObject({
      status: 429,
      text: '{"message":"Too Many Requests"}',
      headers: { 'retry-after': '1', 'x-amzn-errortype': 'TooManyRequestsException' },
    });
    expect(gateway.events).toEqual([]);
  });

  const ONE = { ...ALL, ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 };
  const OWN = [
    { ResourcePath: '/~1b~1{c}', HttpMethod: 'GET', ThrottlingRateLimit: '1', ThrottlingBurstLimit: '2' },
    { ResourcePath: '/', HttpMethod: 'GET', ThrottlingRateLimit: 0, ThrottlingBurstLimit: 0 },
  ];
  it.each([
    ['each method separately', [ONE], ['/a', '/b/1', '/b/2'], [200, 200, 429]],
    ['no requests to unknown paths and methods', [ONE], ['/unknown', '/unknown', '/a'], [403, 403, 200]],
    [
      'by a method’s own limits, which override the stage’s',
      [ONE, ...OWN],
      ['/a', '/a', '/b/1', '/b/1', '/b/1', '/'],
      [200, 429, 200, 200, 429, 429],
    ],
  ])('counts %s', async (_, settings, paths, expected) => {
    await start(...settings);

    expect(await statuses(...paths)).toEqual(expected);
  });
});
