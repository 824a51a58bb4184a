import { type CredentialSnapshot } from '../../../core/deployment/deployment-snapshot';
import { describeCredential, timeToExpiryMs } from '../../../core/findings/describe';
import { inspect } from '../../../core/findings/inspect';
import { deploymentOf } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { at, credential, DAY_MS, NOT_LOADED, snapshotOf, token } from './snapshots';

test('a healthy deployment has no findings', () => {
  expect(
    inspect({ snapshot: snapshotOf(), nowMs: NOON_MS, configured: deploymentOf(['eu-west-2_Acme']) }),
  ).toEqual([]);
});

test('the most severe come first, then those of one tenant together', () => {
  const { deployment } = snapshotOf();
  const old = { promotedAt: at(-80 * DAY_MS) };
  const tenantOf = (tenantId: string) => ({
    tenantId,
    credentials: [credential('client-credentials', old), credential('api-key', NOT_LOADED)],
    tokens: [token(0), { ...token(0), scope: 'api/all' as const }],
  });

  const findings = inspect({
    snapshot: { takenAt: at(0), deployment, tenants: [tenantOf('b'), tenantOf('a')] },
    nowMs: NOON_MS,
  });

  expect(findings.map(({ kind, place, token: of }) => [kind, place.tenantId, of?.scope])).toEqual([
    ['token_expired', 'a', 'api/all'],
    ['token_expired', 'a', 'api/read'],
    ['token_expired', 'b', 'api/all'],
    ['token_expired', 'b', 'api/read'],
    ['rotation_due', 'a', undefined],
    ['rotation_due', 'b', undefined],
    ['never_loaded', 'a', undefined],
    ['never_loaded', 'b', undefined],
  ]);
});

test('fix commands name the place, and the system by the given flags', () => {
  const old = { promotedAt: at(-100 * DAY_MS) };
  const snapshot = snapshotOf({
    clientCredentials: credential('client-credentials', old),
    apiKey: credential('api-key', old),
    tokens: [token(0)],
  });
  const flags = '--environment staging --platform-region mea --tenant eu-west-2_Acme --local';
  const commandsOf = () =>
    inspect({ snapshot, nowMs: NOON_MS, flags: '--local' }).map(({ repair }) => repair.command);

  expect(commandsOf()).toEqual([
    `latchkey doctor ${flags}`,
    `latchkey api-key put ${flags}`,
    `latchkey credentials put ${flags}`,
  ]);

  // A key is generated only if there is a tenant service.
  snapshot.deployment.platform.tenantServiceUrl = 'https://tenants.example';
  expect(commandsOf()[1]).toBe(`latchkey api-key generate ${flags}`);
});

describe('for status', () => {
  test.each<[CredentialSnapshot, string]>([
    [credential('api-key'), 'loaded'],
    [credential('api-key', NOT_LOADED), 'not loaded'],
    [{ kind: 'api-key', secretId: 's', access: 'missing' }, 'missing'],
    [{ kind: 'api-key', secretId: 's', access: 'scheduled_for_deletion' }, 'scheduled for deletion'],
    [{ kind: 'api-key', secretId: 's', access: 'denied', action: 'a', resource: 'r' }, 'access denied'],
    [{ kind: 'api-key', secretId: 's', access: 'unavailable', reason: 'r' }, 'unavailable'],
  ])('the state of a credential is a word: %j', (snapshot, word) => {
    expect(describeCredential(snapshot)).toBe(word);
  });

  test('the time to a token’s expiry is undefined without a token', () => {
    expect(timeToExpiryMs(token(7), NOON_MS)).toBe(7);
    expect(timeToExpiryMs({ ...token(), token: undefined }, NOON_MS)).toBeUndefined();
  });
});

test('findings contain no unknown fields, which could be secrets', () => {
  const canary = 'canary-value';
  const snapshot = snapshotOf({
    clientCredentials: {
      ...credential('client-credentials', { promotedAt: at(-100 * DAY_MS) }),
      clientSecret: canary,
    } as never,
    apiKey: { ...credential('api-key', { validUntil: `${canary} 1` }), apiKey: canary } as never,
    tokens: [{ ...token(0), accessToken: canary } as never],
  });

  const text = JSON.stringify(inspect({ snapshot, nowMs: NOON_MS }));

  expect(text).toContain('token_expired');
  expect(text.replaceAll(`${canary} 1`, '')).not.toContain(canary);
});
