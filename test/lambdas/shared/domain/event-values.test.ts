import { describeValue, unknownField, wrongValue } from '../../../../lambdas/shared/domain/event-values';

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

test('a wrong value is told with its field and what is allowed', () => {
  expect(wrongValue('scope', 7, 'api/read')).toBe('scope: found 7; allowed: api/read');
});

test('the first field that is not allowed is named, cut off, with those that are', () => {
  const event = { action: 'x', ['y'.repeat(50)]: 1, z: 2 };

  expect(unknownField(event, ['action', 'tenantId'])).toBe(
    `${'y'.repeat(40)}: found a field of this name; allowed: action, tenantId`,
  );
});

test('fields that are allowed are none of those, whether all are there or not', () => {
  expect(unknownField({ action: 'x' }, ['action', 'tenantId'])).toBeUndefined();
});
