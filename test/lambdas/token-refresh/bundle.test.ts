import { bundle } from '../../../lib/bundling/bundle';

/** Strings that survive minification wherever the package is in a bundle. */
const MARKS: [string, RegExp][] = [
  ['zod in its classic form', /"ZodObject"|ZodFirstPartyTypeKind/],
  ['the X-Ray tracer', /aws-xray|AWS_XRAY_DEBUG_MODE|captureAWSv3Client/],
  ['undici', /undici/i],
  ['axios', /axios/i],
  ['ajv', /\bajv\b|json-schema\.org\/draft/i],
  ['a dynamic import of node:http', /import\(["'`]node:https?["'`]\)/],
  ['an ESM import', /^import[ {*]/m],
];

// performance.md, goal 7: what costs a cold start without need
describe('the bundle of the token functions', () => {
  const text = bundle('token-refresh');

  test('is the whole function', () => {
    expect(text).toContain('client_credentials');
    expect(text).toContain('AWSCURRENT');
  });

  test.each(MARKS)('is without %s', (_, mark) => {
    expect(mark.exec(text)?.[0]).toBeUndefined();
  });
});
