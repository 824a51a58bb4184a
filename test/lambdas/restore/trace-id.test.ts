import { traceIdOf } from '../../../lambdas/restore/trace-id';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const ROOT = '1-65f00000-0123456789abcdef01234567';

const traceIdWith = (traceparent: string[], xray: string[] = [`Root=${ROOT}`]) =>
  traceIdOf((name) => ({ traceparent, 'x-amzn-trace-id': xray })[name] ?? []);

// https://www.w3.org/TR/trace-context/#examples-of-http-traceparent-headers
test.each([
  [`00-${TRACE}-${PARENT}-01`],
  [`00-${TRACE}-${PARENT}-00`],
  ['a later version', `cc-${TRACE}-${PARENT}-01`],
  ['a later version with more fields', `cc-${TRACE}-${PARENT}-01-what-the-future-will-be`],
])('is the caller’s: %s', (...texts) => {
  expect(traceIdWith([texts.at(-1)!])).toBe(TRACE);
});

// https://www.w3.org/TR/trace-context/#traceparent-header-field-values
test.each([
  ['upper case', `00-${TRACE.toUpperCase()}-${PARENT}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
  ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['version ff', `ff-${TRACE}-${PARENT}-01`],
  ['more fields in version 00', `00-${TRACE}-${PARENT}-01-more`],
  ['more characters', `cc-${TRACE}-${PARENT}-01more`],
  ['a shorter trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
  ['a line break', `00-${TRACE}-${PARENT}-01\n`],
  ['an empty text', ''],
])('is API Gateway’s if the caller’s traceparent is invalid: %s', (_, traceparent) => {
  expect(traceIdWith([traceparent])).toBe(ROOT);
});

test('is API Gateway’s without a traceparent, or with two of them', () => {
  const valid = `00-${TRACE}-${PARENT}-01`;

  expect([traceIdWith([]), traceIdWith([valid, valid])]).toEqual([ROOT, ROOT]);
});

// https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
test.each([
  [`Root=${ROOT};Parent=53995c3f42cd8ad8;Sampled=1`, ROOT],
  [`Self=1-65f00001-0123456789abcdef01234568;Root=${ROOT}`, ROOT],
  ['Root=1-x', undefined],
  [`OtherRoot=${ROOT}`, undefined],
  ['', undefined],
])('of X-Amzn-Trace-Id %j is its root: %s', (header, expected) => {
  expect(traceIdWith([], [header])).toBe(expected);
});

test('is unknown without any header', () => {
  expect(traceIdWith([], [])).toBeUndefined();
});
