import * as fc from 'fast-check';

import { parseAuthorization, type Presented } from '../../../lambdas/authorizer/authorization-header';

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64');
const basic = (text: string | Buffer) => `Basic ${base64(text)}`;
const key = (tenantId: string, apiKey: string): Presented => ({ scheme: 'basic', tenantId, apiKey });
const bearer = (token: string): Presented => ({ scheme: 'bearer', token });

// RFC 7617, section 2; RFC 6750, section 2.1; RFC 9110, section 11.4 (T15)
test.each<[string, string[], Presented | undefined]>([
  ['none', [], undefined],
  ['an empty one', [''], undefined],
  ['two', [basic('t:k'), basic('t:k')], undefined],
  ['two joined by a comma', [`${basic('t:k')}, Bearer token`], undefined],
  ['two joined without a blank', ['Bearer a,Bearer b'], undefined],

  ['Bearer', ['Bearer aB3-._~+/token=='], bearer('aB3-._~+/token==')],
  ['Bearer in lower case', ['bearer token'], bearer('token')],
  ['Bearer in upper case', ['BEARER token'], bearer('token')],
  ['Bearer without a token', ['Bearer'], undefined],
  ['Bearer with a blank for a token', ['Bearer '], undefined],
  ['Bearer with two blanks', ['Bearer  token'], undefined],
  ['Bearer with a tab', ['Bearer\ttoken'], undefined],
  ['Bearer with a blank behind', ['Bearer token '], undefined],
  ['Bearer with a line break behind', ['Bearer token\n'], undefined],
  ['Bearer with two tokens', ['Bearer one two'], undefined],
  ['Bearer with padding inside', ['Bearer a=b'], undefined],
  ['Bearer with a token beyond its alphabet', ['Bearer tök'], undefined],
  ['Bearer with a NUL', ['Bearer a\0b'], undefined],

  ['Basic', [basic('tenant:key')], key('tenant', 'key')],
  ['Basic in lower case', [basic('t:k').replace('Basic', 'basic')], key('t', 'k')],
  ['Basic with colons in the key', [basic('tenant:k:e:y')], key('tenant', 'k:e:y')],
  ['Basic with a colon at the key’s end', [basic('tenant:key:')], key('tenant', 'key:')],
  ['Basic with blanks around the key', [basic('tenant: key ')], key('tenant', ' key ')],
  ['Basic in UTF-8', [basic('tenant:schlüssel')], key('tenant', 'schlüssel')],
  ['Basic with a byte order mark, which is kept', [basic('\ufeffa:b')], key('\ufeffa', 'b')],
  ['Basic without a colon', [basic('tenant')], undefined],
  ['Basic without a tenant', [basic(':key')], undefined],
  ['Basic without a key', [basic('tenant:')], undefined],
  ['Basic with a colon alone', [basic(':')], undefined],
  ['Basic in Latin-1', [basic(Buffer.from('tenant:ü', 'latin1'))], undefined],
  ['Basic with a line break', [basic('tenant:key\n')], undefined],
  ['Basic with a NUL', [basic('tenant:k\0y')], undefined],
  ['Basic with DEL', [basic('tenant:k\x7f')], undefined],
  ['Basic with a C1 control character', [basic('tenant:k\u0085')], undefined],
  ['Basic without its padding', ['Basic dDprZXk'], undefined],
  ['Basic with too much padding', [`${basic('t:key')}===`], undefined],
  ['Basic with bits left over', ['Basic dDprZR=='], undefined],
  ['Basic in the alphabet of URLs', [basic('t:>>>???').replaceAll('/', '_').replaceAll('+', '-')], undefined],
  ['Basic with nothing', ['Basic '], undefined],

  ['Digest', ['Digest username="t"'], undefined],
  ['an unknown scheme', [`Token ${base64('t:k')}`], undefined],
  ['a token alone', ['token'], undefined],
])('an Authorization that is %s', (_, values, expected) => {
  expect(parseAuthorization(values)).toEqual(expected);
});

test('a Basic header has one spelling: encoding the parsed credential gives the same header', () => {
  const credentials = fc.oneof(
    fc.base64String(),
    fc.string(),
    fc.stringMatching(/^[A-Za-z0-9+/_-]{2,12}={0,2}$/),
  );
  fc.assert(
    fc.property(credentials, (text) => {
      const presented = parseAuthorization([`Basic ${text}`]);

      if (presented?.scheme === 'basic') {
        expect(base64(`${presented.tenantId}:${presented.apiKey}`)).toBe(text);
      }
    }),
  );
});
