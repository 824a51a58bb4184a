import { bundle } from '../../../lib/bundling/bundle';

/** Strings that survive minification if the package is in the bundle. */
const MARKS: [string, RegExp][] = [
  ['zod in its classic form', /"ZodObject"|ZodFirstPartyTypeKind/],
  ['the X-Ray tracer', /aws-xray|AWS_XRAY_DEBUG_MODE|captureAWSv3Client/],
  ['undici', /undici/i],
  ['axios', /axios/i],
  ['ajv', /\bajv\b|json-schema\.org\/draft/i],
  ['a dynamic import of node:http', /import\(["'`]node:https?["'`]\)/],
  ['an ESM import', /^import[ {*]/m],
];

// performance.md, goal 7: code that slows the cold start without need
describe.each(['token-refresh', 'token-sweep'])('the bundle of %s', (name) => {
  const text = bundle(name);

  test('contains the whole function', () => {
    expect(text).toContain('client_credentials');
    expect(text).toContain('AWSCURRENT');
  });

  test('contains the other function’s part only if it needs it', () => {
    expect(text.includes('sweep ended')).toBe(name === 'token-sweep');
    expect(text.includes('minValiditySec')).toBe(name === 'token-refresh');
  });

  test.each(MARKS)('does not contain %s', (_, mark) => {
    expect(mark.exec(text)?.[0]).toBeUndefined();
  });
});
