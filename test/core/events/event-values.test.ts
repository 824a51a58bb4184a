import { describeValue, unknownField, wrongValue } from '../../../core/events/event-values';

test.each<[unknown, string]>([
  [undefined, 'nothing'],
  [null, 'null'],
  [['canary'], 'a list'],
  [{ secret: 'canary' }, 'an object'],
  [7, '7'],
  [false, 'false'],
  ['', '""'],
  ['api/read', '"api/read"'],
  ['eu-west-2_AbcdEfghI', '"eu-west-2_AbcdEfghI"'],
  ['a "b"', 'a text of 5 characters'],
  ['a-client-secret-in-the-wrong-place', 'a text of 34 characters'],
])('%j is described as %s', (value, text) => {
  expect(describeValue(value)).toBe(text);
});

test('the message for a wrong value has the field and the allowed values', () => {
  expect(wrongValue('scope', 7, 'api/read')).toBe('scope: found 7; allowed: api/read');
});

test('the message for an unknown field has the allowed ones, and no name that may be a secret', () => {
  const messageOf = (field: string) => unknownField({ [field]: 1 }, ['action', 'tenantId']);
  const said = 'found a field of this name; allowed: action, tenantId';

  expect(messageOf('tenant')).toBe(`tenant: ${said}`);
  expect(messageOf('y'.repeat(50))).toBe(`another field: ${said}`);
  expect(messageOf('tenantId')).toBeUndefined();
});
