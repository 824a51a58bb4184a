import { EventError, parseTenantsEvent } from '../../../core/events/tenants-event';

const deployment = { tenants: [{ tenantId: 'a' }, { tenantId: 'b' }] };
const parse = (event: unknown, of = deployment) => parseTenantsEvent(event, ['watch', 'report'], of);

test.each([
  [{ action: 'watch' }, {}],
  [{ action: 'report', tenantIds: [] }, { tenantIds: [] }],
  [{ action: 'report', tenantIds: ['b', 'b'] }, { tenantIds: ['b'] }],
])('%j is valid, and names each tenant once', (event, read) => {
  expect(parse(event)).toEqual({ action: event.action, ...read });
});

test.each<[unknown, string]>([
  [undefined, 'event: found nothing; allowed: an object'],
  [['watch'], 'event: found a list; allowed: an object'],
  [{}, 'action: found nothing; allowed: "watch", "report"'],
  [{ action: 'fix' }, 'action: found "fix"; allowed: "watch", "report"'],
  [{ action: 'watch', tenant: 'a' }, 'tenant: found a field of this name; allowed: action, tenantIds'],
  [{ action: 'report', tenantIds: 'a' }, 'tenantIds: found "a"; allowed: a list of tenants'],
  [{ action: 'report', tenantIds: ['a', 'c'] }, 'tenantIds: found "c"; allowed: a, b'],
  [{ action: 'report', tenantIds: [{}] }, 'tenantIds: found an object; allowed: a, b'],
])('%j is invalid, and the error says why', (event, message) => {
  expect(() => parse(event)).toThrow(new EventError(message));
});

test('an error names some of many tenants and counts the others', () => {
  const tenants = Array.from({ length: 500 }, (_, n) => ({ tenantId: `t${n}` }));

  expect(() => parse({ action: 'report', tenantIds: ['x'] }, { tenants })).toThrow(/t19 and 480 more$/);
});
