import { type Readings } from '../../../src/api-gateway/readings';
import { KNOWN_ISSUES, PROXY_FORMATS, RECORDED_COMMON, RECORDED_PROXY, SAMPLE_EVENT } from './sources';

/** A request, and what it must lead to: part of the function's event, and of the answer. */
export interface RequestCase {
  /** The method, and the URL after the API's id, as sent. The stage is `v1`. */
  send: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  readings?: Partial<Readings>;
  event?: Record<string, unknown>;
  /** All names that a function sees for these headers. */
  headerNames?: Record<string, string[]>;
  /** Without an event: API Gateway's own. */
  answer?: { status: number; text?: string; headers?: Record<string, unknown> };
}

export interface RequestTable {
  api: string;
  /** `METHOD /path`. */
  routes: string[];
  /** By source. */
  cases: Record<string, RequestCase[]>;
}

const PROXY_INTEGRATION = RECORDED_PROXY('test_lambda_aws_proxy_integration');
const SIBLINGS = RECORDED_COMMON('test_proxy_routing_with_hardcoded_resource_sibling').replace(
  'snapshot',
  'validation',
);
const SIBLING_ORDER = RECORDED_COMMON('test_routing_with_hardcoded_resource_sibling_order').replace(
  'snapshot',
  'validation',
);
const TRACE_ID = RECORDED_COMMON('test_invocation_trace_id');
const ROOT = 'Root=1-3152b799-8954dae64eda91bc9a23a7e8';
const FULL_TRACE = `${ROOT};Parent=7fa8c0f79203be72;Sampled=1`;
const NEW_TRACE = /^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/;
const DROPPED = [
  'Connection',
  'Content-MD5',
  'Expect',
  'Max-Forwards',
  'Proxy-Authenticate',
  'Server',
  'TE',
  'WWW-Authenticate',
];
const NOT_FOUND = RECORDED_COMMON('test_routing_not_found');
const MISSING_TOKEN = {
  status: 403,
  text: '{"message":"Missing Authentication Token"}',
  headers: { 'x-amzn-errortype': 'MissingAuthenticationTokenException' },
};
const at = (path: string, proxy: string, sentPath = path): Record<string, unknown> => ({
  resource: '/{proxy+}',
  path,
  pathParameters: { proxy },
  requestContext: { path: `/v1${sentPath}`, resourcePath: '/{proxy+}', stage: 'v1' },
});

export const REQUEST_TABLES: readonly RequestTable[] = [
  {
    api: 'whose root and {proxy+} take every method',
    routes: ['ANY /', 'ANY /{proxy+}', 'ANY /hardcoded'],
    cases: {
      [PROXY_INTEGRATION]: [
        { send: 'GET /v1/proxy-value', event: at('/proxy-value', 'proxy-value') },
        { send: 'GET /v1/proxy-value/', event: at('/proxy-value/', 'proxy-value') },
        {
          send: 'GET /v1/proxy-value//double-slash',
          event: at('/proxy-value//double-slash', 'proxy-value//double-slash'),
        },
        { send: 'GET //v1/proxy-value', event: at('/proxy-value', 'proxy-value') },
        { send: 'GET /v1//proxy-value', event: at('/proxy-value', 'proxy-value', '//proxy-value') },
        {
          send: 'GET /v1//hardcoded',
          event: {
            resource: '/hardcoded',
            path: '/hardcoded',
            pathParameters: null,
            requestContext: { path: '/v1//hardcoded', resourcePath: '/hardcoded' },
          },
        },
        {
          send: 'GET /v1/user/test%2Balias@gmail.com/plus/test+alias@gmail.com',
          event: at(
            '/user/test%2Balias@gmail.com/plus/test+alias@gmail.com',
            'user/test%2Balias@gmail.com/plus/test+alias@gmail.com',
          ),
        },
        {
          send: 'GET /v1/api?at=2023-06-12T18:05:10.123456+00:00&email=test%2Balias@gmail.com&plus=a+b&url=https://www.google.com/&white=foo%20bar',
          event: {
            queryStringParameters: {
              at: '2023-06-12T18:05:10.123456 00:00',
              email: 'test+alias@gmail.com',
              plus: 'a b',
              url: 'https://www.google.com/',
              white: 'foo bar',
            },
          },
        },
        {
          send: 'POST /v1/proxy-value?category=electronics&category=books&price=10&price=20&price=30',
          headers: { 'Content-Type': 'application/json;charset=utf-8' },
          body: '{"message": "hello world"}',
          event: {
            httpMethod: 'POST',
            body: '{"message": "hello world"}',
            isBase64Encoded: false,
            queryStringParameters: { category: 'books', price: '30' },
            multiValueQueryStringParameters: {
              category: ['electronics', 'books'],
              price: ['10', '20', '30'],
            },
          },
        },
        {
          send: 'GET /v1/proxy-value',
          event: {
            body: null,
            queryStringParameters: null,
            multiValueQueryStringParameters: null,
            stageVariables: null,
            requestContext: {
              deploymentId: expect.stringMatching(/^[a-z0-9]{6}$/) as unknown,
              protocol: 'HTTP/1.1',
            },
          },
        },
        {
          send: 'GET /v1/proxy-value',
          headers: { 'tEsT-HEADeR': 'aValUE' },
          headerNames: { 'test-header': ['tEsT-HEADeR'] },
          event: { headers: { 'tEsT-HEADeR': 'aValUE' }, multiValueHeaders: { 'tEsT-HEADeR': ['aValUE'] } },
        },
        ...['authorization', 'aUThorization'].map((name) => ({
          send: 'GET /v1/proxy-value',
          headers: { [name]: 'Bearer token123;API key456' },
          headerNames: { authorization: ['Authorization'] },
          event: { multiValueHeaders: { Authorization: ['Bearer token123;API key456'] } },
        })),
      ],
      [KNOWN_ISSUES]: [
        {
          send: 'GET /v1/user/test%2Balias@gmail.com',
          readings: { pathParameters: 'decoded' },
          event: {
            path: '/user/test%2Balias@gmail.com',
            pathParameters: { proxy: 'user/test+alias@gmail.com' },
          },
        },
        {
          send: 'GET /v1/proxy-value?a=1;b=2&a=3',
          event: {
            queryStringParameters: { a: '3', b: '2' },
            multiValueQueryStringParameters: { a: ['1', '3'], b: ['2'] },
          },
        },
        {
          send: 'GET /v1/proxy-value?a=1%3Bb=2',
          event: { queryStringParameters: { a: '1;b=2' } },
        },
        ...DROPPED.map((name) => ({
          send: 'GET /v1/proxy-value',
          headers: { [name]: name === 'Expect' ? '100-continue' : 'close' },
          headerNames: { [name.toLowerCase()]: [] },
        })),
        {
          send: 'GET /v1/proxy-value',
          headers: { authorization: 'Bearer t', 'user-agent': 'test' },
          readings: { headerNames: 'as-sent' },
          headerNames: { authorization: ['authorization'], 'user-agent': ['user-agent'] },
        },
      ],
      [PROXY_FORMATS]: [
        {
          send: 'GET /v1/?urlparam=test',
          event: {
            resource: '/',
            path: '/',
            pathParameters: null,
            queryStringParameters: { urlparam: 'test' },
            multiValueQueryStringParameters: { urlparam: ['test'] },
            requestContext: { path: '/v1/', resourcePath: '/' },
          },
        },
      ],
      [TRACE_ID]: [
        {
          send: 'GET /v1/proxy-value',
          headers: { 'x-amzn-trace-id': FULL_TRACE },
          headerNames: { 'x-amzn-trace-id': ['X-Amzn-Trace-Id'] },
          event: { headers: { 'X-Amzn-Trace-Id': FULL_TRACE } },
          answer: { status: 200, headers: { 'x-amzn-trace-id': FULL_TRACE } },
        },
        {
          send: 'GET /v1/proxy-value',
          headers: { 'x-amzn-trace-id': ROOT },
          headerNames: { 'x-amzn-trace-id': ['X-Amzn-Trace-Id'] },
          event: { headers: { 'X-Amzn-Trace-Id': ROOT } },
          answer: {
            status: 200,
            headers: { 'x-amzn-trace-id': expect.stringMatching(`^${ROOT};Parent=[0-9a-f]{16};`) as unknown },
          },
        },
        ...['', 'Root=1-1-1', `X${ROOT}`].map((sent) => ({
          send: 'GET /v1/proxy-value',
          headers: { 'x-amzn-trace-id': sent },
          event: { headers: { 'X-Amzn-Trace-Id': expect.stringMatching(NEW_TRACE) as unknown } },
          answer: {
            status: 200,
            headers: {
              'x-amzn-trace-id': expect.stringMatching(
                /^Root=[^;]+;Parent=[0-9a-f]{16};Sampled=0$/,
              ) as unknown,
            },
          },
        })),
      ],
      [SAMPLE_EVENT]: [
        {
          send: 'GET /v1/proxy-value',
          headers: { 'user-agent': 'test', host: '127.0.0.1', accept: '*/*' },
          headerNames: { 'user-agent': ['User-Agent'], host: ['Host'], accept: ['accept'] },
        },
      ],
    },
  },
  {
    api: 'with a path beside {proxy+}',
    routes: ['POST /test', 'ANY /test/any', 'OPTIONS /{proxy+}'],
    cases: {
      [SIBLINGS]: [
        {
          send: 'OPTIONS /v1/test',
          event: { resource: '/{proxy+}', pathParameters: { proxy: 'test' }, httpMethod: 'OPTIONS' },
        },
        { send: 'POST /v1/test', event: { resource: '/test', pathParameters: null } },
        { send: 'OPTIONS /v1/test/any', event: { resource: '/test/any' } },
        { send: 'GET /v1/test/any', event: { resource: '/test/any' } },
      ],
      [NOT_FOUND]: [
        { send: 'GET /v1/test', answer: MISSING_TOKEN },
        { send: 'GET /v1/test/other', answer: MISSING_TOKEN },
      ],
    },
  },
  {
    api: 'with a path below one that {param+} also covers',
    routes: ['GET /part1', 'GET /part1/hardcoded-value', 'GET /{param+}'],
    cases: {
      [SIBLING_ORDER]: [
        { send: 'GET /v1/part1', event: { resource: '/part1' } },
        { send: 'GET /v1/part1/hardcoded-value', event: { resource: '/part1/hardcoded-value' } },
        {
          send: 'GET /v1/part1/random-value',
          event: { resource: '/{param+}', pathParameters: { param: 'part1/random-value' } },
        },
      ],
    },
  },
];
