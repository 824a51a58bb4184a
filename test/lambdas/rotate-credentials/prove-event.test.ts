import {
  isProveEvent,
  parseProveEvent,
  ProveEventError,
} from '../../../lambdas/rotate-credentials/prove-event';
import { deploymentOf } from '../../support/lambdas/token-functions';

const DEPLOYMENT = deploymentOf(['tenant-a', 'tenant-b']);

test('a step of a rotation is no such event', () => {
  expect(isProveEvent({ Step: 'testSecret', SecretId: 'arn', ClientRequestToken: 'run-1' })).toBe(false);
  expect(isProveEvent(undefined)).toBe(false);
  expect(isProveEvent({ action: 'prove' })).toBe(true);
});

test('it asks for all tenants, or for some, each once', () => {
  expect(parseProveEvent({ action: 'prove' }, DEPLOYMENT)).toEqual({ action: 'prove' });
  const tenantIds = ['tenant-b', 'tenant-b'];
  expect(parseProveEvent({ action: 'prove', tenantIds }, DEPLOYMENT)).toEqual({
    action: 'prove',
    tenantIds: ['tenant-b'],
  });
});

test.each<[Record<string, unknown>, string]>([
  [{ action: 'rotate' }, 'action: found "rotate"; allowed: "prove"'],
  [{ action: 'prove', tenant: 'a' }, 'tenant: found a field of this name; allowed: action, tenantIds'],
  [{ action: 'prove', tenantIds: 'tenant-a' }, 'tenantIds: found "tenant-a"; allowed: a list of tenants'],
  [{ action: 'prove', tenantIds: ['x'] }, 'tenantIds: found "x"; allowed: tenant-a, tenant-b'],
])('%j is refused, and the error names the field', (event, message) => {
  expect(() => parseProveEvent(event, DEPLOYMENT)).toThrow(new ProveEventError(message));
});
