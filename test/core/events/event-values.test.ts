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

test.each([
  ['has the allowed fields', 'tenant', 'tenant: found a field of this name; allowed: action, tenantId'],
  [
    'leaves out a name that may be a secret',
    'y'.repeat(50),
    'another field: found a field of this name; allowed: action, tenantId',
  ],
  ['does not exist for a known field, even if others are missing', 'tenantId', undefined],
])('the message for an unknown field %s', (_, field, message) => {
  expect(unknownField({ [field]: 1 }, ['action', 'tenantId'])).toBe(message);
});
