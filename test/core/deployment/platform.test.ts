import { INTERFACES, narrowTokenType, SCOPES, TENANT_ID } from '../../../core/deployment/platform';

describe('an interface with a scope', () => {
  const words = [
    ...new Set([...INTERFACES, ...Object.values(SCOPES).flat(), '', 'toString', '__proto__', 'API/READ']),
  ];
  const accepted = words.flatMap((name) =>
    words.filter((scope) => !('wrong' in narrowTokenType(name, scope))).map((scope) => `${name} ${scope}`),
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

  test.each<[unknown, unknown, object]>([
    ['content', 'api/read', { interface: 'content', scope: 'api/read' }],
    ['web', 'api/read', { wrong: 'interface', allowed: ['content', 'webhooks'] }],
    [undefined, undefined, { wrong: 'interface', allowed: ['content', 'webhooks'] }],
    ['webhooks', 'api/read', { wrong: 'scope', allowed: ['api/webhooks', 'api/all'] }],
    ['content', undefined, { wrong: 'scope', allowed: ['api/all', 'api/read', 'api/write'] }],
  ])(
    '%j with %j is narrowed to its two fields, or the result says which is wrong',
    (platformInterface, scope, narrowed) => {
      expect(narrowTokenType(platformInterface, scope)).toEqual(narrowed);
    },
  );
});

test.each([
  [true, ['eu-west-2_AbcdEfghI', 'a', '7', 'A'.repeat(128)]],
  [false, ['', '.', '..', 'a/b', 'a.b', '-a', '_a', 'a b', 'a\n', 'a%2e', 'ä', 'a*', 'a'.repeat(129)]],
])('may be a tenant identifier: %s for %j', (isValid, tenantIds) => {
  expect(tenantIds.filter((tenantId) => TENANT_ID.test(tenantId) !== isValid)).toEqual([]);
});
