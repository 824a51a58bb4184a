import { type TokenKey, tokenKeyText } from '../../../core/tokens/token-key';

const KEY: TokenKey = {
  environment: 'staging',
  platformRegion: 'mea',
  tenantId: 'eu-west-2_Acme',
  interface: 'content',
  scope: 'api/read',
};

describe('the text of a token key', () => {
  test.each(['issuer', 'environment', 'platformRegion', 'tenantId', 'interface', 'scope'] as const)(
    'depends on %s',
    (field) => {
      expect(tokenKeyText({ ...KEY, [field]: 'other' })).not.toBe(tokenKeyText(KEY));
    },
  );

  test.each(['', '","'])('keeps fields apart that contain %j', (sign) => {
    expect(tokenKeyText({ ...KEY, tenantId: `a${sign}b`, interface: 'c' })).not.toBe(
      tokenKeyText({ ...KEY, tenantId: 'a', interface: `b${sign}c` }),
    );
  });

  test('does not depend on the order or number of the fields of the object', () => {
    const { scope, ...rest } = KEY;

    expect(tokenKeyText({ scope, more: 1, ...rest } as unknown as TokenKey)).toBe(tokenKeyText(KEY));
  });
});
