import { parseWatchEvent, WatchEventError } from '../../../lambdas/credential-watch/watch-event';
import { deploymentOf } from '../../support/lambdas/token-functions';

const deployment = deploymentOf(['a', 'b']);

test.each([
  { action: 'watch' },
  { action: 'report' },
  { action: 'report', tenantIds: ['b'] },
  { action: 'report', tenantIds: [] },
])('%j is valid', (event) => {
  expect(parseWatchEvent(event, deployment)).toEqual(event);
});

test('a tenant that is named twice is inspected once', () => {
  const event = parseWatchEvent({ action: 'watch', tenantIds: ['a', 'a'] }, deployment);

  expect(event.tenantIds).toEqual(['a']);
});

test.each<[unknown, string]>([
  [undefined, 'event: found nothing; allowed: an object'],
  [null, 'event: found null; allowed: an object'],
  [['watch'], 'event: found a list; allowed: an object'],
  [{}, 'action: found nothing; allowed: "watch", "report"'],
  [{ action: 'fix' }, 'action: found "fix"; allowed: "watch", "report"'],
  [{ action: 'watch', tenant: 'a' }, 'tenant: found a field of this name; allowed: action, tenantIds'],
  [{ action: 'report', tenantIds: 'a' }, 'tenantIds: found "a"; allowed: a list of tenants'],
  [{ action: 'report', tenantIds: ['a', 'c'] }, 'tenantIds: found "c"; allowed: a, b'],
  [{ action: 'report', tenantIds: [{}] }, 'tenantIds: found an object; allowed: a, b'],
])('%j is invalid, and the error says why', (event, message) => {
  expect(() => parseWatchEvent(event, deployment)).toThrow(new WatchEventError(message));
});

test('an error names some of many tenants and counts the others', () => {
  const many = deploymentOf(Array.from({ length: 500 }, (_, n) => `t${n}`));

  expect(() => parseWatchEvent({ action: 'report', tenantIds: ['x'] }, many)).toThrow(/t19 and 480 more$/);
});
