import { KNOWN_ISSUES, PROXY_FORMATS, RECORDED_PROXY } from './sources';

/** What a function returns, and what the caller gets. */
export interface AnswerCase {
  what: string;
  result: unknown;
  status: number;
  text?: string;
  /** Each name, as sent, with its values in order. */
  headers?: Record<string, string[]>;
  /** Headers that do not arrive, in any case. */
  absent?: string[];
  source: string;
}

const FORMATS = RECORDED_PROXY('test_aws_proxy_response_payload_format_validation');
const INTERNAL = { status: 502, text: '{"message": "Internal server error"}' };
const JSON_TYPE = { 'Content-Type': ['application/json'] };

const recorded: AnswerCase[] = [
  {
    what: 'a status',
    result: { statusCode: 200 },
    status: 200,
    text: '',
    headers: JSON_TYPE,
    source: FORMATS,
  },
  {
    what: 'a boolean as header',
    result: { statusCode: 200, headers: { 'test-header': 'value', 'header-bool': true } },
    status: 200,
    headers: { 'test-header': ['value'], 'header-bool': ['true'], ...JSON_TYPE },
    source: FORMATS,
  },
  { what: 'null as headers', result: { statusCode: 200, headers: null }, status: 200, source: FORMATS },
  {
    what: 'base64 without a binary media type',
    result: { statusCode: 200, body: 'dGVzdC1kYXRh', isBase64Encoded: true },
    status: 200,
    text: 'dGVzdC1kYXRh',
    source: FORMATS,
  },
  {
    what: 'several values of a header',
    result: { statusCode: 200, multiValueHeaders: { 'test-multi': ['value1', 'value2'] } },
    status: 200,
    headers: { 'test-multi': ['value1', 'value2'] },
    source: FORMATS,
  },
  {
    what: 'a header in both members',
    result: {
      statusCode: 200,
      multiValueHeaders: { 'test-multi': ['value-multi'] },
      headers: { 'test-multi': 'value-solo' },
    },
    status: 200,
    headers: { 'test-multi': ['value-multi', 'value-solo'] },
    source: FORMATS,
  },
  {
    what: 'a header in both members, in different case',
    result: {
      statusCode: 200,
      multiValueHeaders: { 'tesT-Multi': ['value-multi'] },
      headers: { 'test-multi': 'value-solo' },
    },
    status: 200,
    headers: { 'tesT-Multi': ['value-multi', 'value-solo'] },
    source: FORMATS,
  },
  {
    what: 'a header with one value in both members',
    result: { multiValueHeaders: { 'x-same': ['a', 'b'] }, headers: { 'x-same': 'b' } },
    status: 200,
    headers: { 'x-same': ['a', 'b'] },
    source: PROXY_FORMATS,
  },
  { what: 'a status as text', result: { statusCode: '201' }, status: 201, text: '', source: FORMATS },
  { what: 'headers alone', result: { headers: { 'test-header': 'value' } }, status: 200, source: FORMATS },
  ...Object.entries({
    'an unknown member': { statusCode: 200, wrongValue: 'value' },
    'text in multiValueHeaders': { statusCode: 200, multiValueHeaders: { 'test-multi-invalid': 'value1' } },
    'a word as status': { statusCode: 'test' },
    text: 'justAString',
  }).map(([what, result]) => ({ what, result, ...INTERNAL, source: FORMATS })),
];

const documented: AnswerCase[] = [
  { what: 'an empty object', result: {}, status: 200, text: '', headers: JSON_TYPE, source: PROXY_FORMATS },
  {
    what: 'null members',
    result: { statusCode: null, headers: null, multiValueHeaders: null, body: null, isBase64Encoded: null },
    status: 200,
    text: '',
    source: PROXY_FORMATS,
  },
  {
    what: 'text in UTF-8, its type and cookies',
    result: {
      statusCode: 201,
      headers: { 'Content-Type': 'text/plain' },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: 'héllo',
    },
    status: 201,
    text: 'héllo',
    headers: { 'Content-Type': ['text/plain'], 'Set-Cookie': ['a=1', 'b=2'], 'Content-Length': ['6'] },
    source: PROXY_FORMATS,
  },
  ...Object.entries({
    null: null,
    'a list': [],
    'an object as body': { statusCode: 200, body: { a: 1 } },
    'a number as header': { statusCode: 200, headers: { 'X-N': 1 } },
    'a header that would end the line': { statusCode: 200, headers: { 'X-A': 'a\r\nX-B: b' } },
  }).map(([what, result]) => ({ what, result, ...INTERNAL, source: PROXY_FORMATS })),
];

const REMAPPED = [
  'Authorization',
  'Connection',
  'Content-Length',
  'Content-MD5',
  'Date',
  'Max-Forwards',
  'Server',
  'User-Agent',
  'WWW-Authenticate',
];
const DROPPED = [
  'Expect',
  'Host',
  'Proxy-Authenticate',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'Via',
  'x-amz-apigw-id',
  'x-amzn-RequestId',
];

export const ANSWER_CASES: readonly AnswerCase[] = [
  ...recorded,
  ...documented,
  ...REMAPPED.map((name) => ({
    what: `the header ${name}`,
    result: { statusCode: 401, headers: { [name]: 'sent-7' } },
    status: 401,
    headers: { [`x-amzn-Remapped-${name}`]: ['sent-7'] },
    absent: [name],
    source: KNOWN_ISSUES,
  })),
  ...DROPPED.map((name) => ({
    what: `the header ${name}`,
    result: { statusCode: 200, headers: { [name]: 'sent-7' } },
    status: 200,
    absent: [name, `x-amzn-Remapped-${name}`],
    source: KNOWN_ISSUES,
  })),
];
