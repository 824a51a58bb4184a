import { INTERFACES, isTokenType, SCOPES, TENANT_ID } from '../../contract/platform';

describe('an interface with a scope', () => {
  const words = [
    ...new Set([...INTERFACES, ...Object.values(SCOPES).flat(), '', 'toString', '__proto__', 'API/READ']),
  ];
  const accepted = words.flatMap((name) =>
    words.filter((scope) => isTokenType({ interface: name, scope })).map((scope) => `${name} ${scope}`),
  );

  // The platform's specification, "OAuth token request"
  test('is one of the five pairs that the platform knows, and no other', () => {
    expect(accepted).toEqual([
      'content api/all',
      'content api/read',
      'content api/write',
      'webhooks api/all',
      'webhooks api/webhooks',
    ]);
  });
});

describe('a tenant identifier', () => {
  test.each(['eu-west-2_AbcdEfghI', 'a', '7', 'A'.repeat(128)])('may be %s', (tenantId) => {
    expect(tenantId).toMatch(TENANT_ID);
  });

  test.each(['', '.', '..', 'a/b', 'a.b', '-a', '_a', 'a b', 'a\n', 'a%2e', 'ä', 'a*', 'a'.repeat(129)])(
    'may not be %j',
    (tenantId) => {
      expect(tenantId).not.toMatch(TENANT_ID);
    },
  );
});
