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

test.each([
  [
    'a wrong value: the field, the value and the allowed ones',
    wrongValue('scope', 7, 'api/read'),
    'scope: found 7; allowed: api/read',
  ],
  [
    'an unknown field: its name and the allowed ones',
    unknownField({ action: 'x', tenant: 1 }, ['action', 'tenantId']),
    'tenant: found a field of this name; allowed: action, tenantId',
  ],
  [
    'an unknown field whose name may be a secret: the allowed ones',
    unknownField({ action: 'x', ['y'.repeat(50)]: 1 }, ['action', 'tenantId']),
    'another field: found a field of this name; allowed: action, tenantId',
  ],
  ['nothing, if only a field is missing', unknownField({ action: 'x' }, ['action', 'tenantId']), undefined],
])('a message names %s', (_, message, expected) => {
  expect(message).toBe(expected);
});
