import { describeValue, unknownField, wrongValue } from '../../../core/events/event-values';

test.each<[unknown, string]>([
  [undefined, 'nothing'],
  [null, 'null'],
  [['canary'], 'a list'],
  [{ secret: 'canary' }, 'an object'],
  [7, '7'],
  [false, 'false'],
  ['', '""'],
  ['a "b"', String.raw`"a \"b\""`],
  ['x'.repeat(100), `"${'x'.repeat(59)}`],
])('%j is described as %s', (value, text) => {
  expect(describeValue(value)).toBe(text);
});

test('the message for a wrong value has the field and the allowed values', () => {
  expect(wrongValue('scope', 7, 'api/read')).toBe('scope: found 7; allowed: api/read');
});

test('the message for an unknown field has its truncated name and the allowed fields', () => {
  const event = { action: 'x', ['y'.repeat(50)]: 1, z: 2 };

  expect(unknownField(event, ['action', 'tenantId'])).toBe(
    `${'y'.repeat(40)}: found a field of this name; allowed: action, tenantId`,
  );
});

test('there is no message if all fields are allowed, even if some are missing', () => {
  expect(unknownField({ action: 'x' }, ['action', 'tenantId'])).toBeUndefined();
});
