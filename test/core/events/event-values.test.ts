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

test('the message for an unknown field has the allowed fields, and its name if that is no secret', () => {
  const fieldsOf = (name: string) => unknownField({ action: 'x', [name]: 1 }, ['action', 'tenantId']);

  expect(fieldsOf('tenant')).toBe('tenant: found a field of this name; allowed: action, tenantId');
  expect(fieldsOf('y'.repeat(50))).toBe(
    'another field: found a field of this name; allowed: action, tenantId',
  );
});

test('there is no message if all fields are allowed, even if some are missing', () => {
  expect(unknownField({ action: 'x' }, ['action', 'tenantId'])).toBeUndefined();
});
