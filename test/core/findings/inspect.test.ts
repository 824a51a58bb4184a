import fc from 'fast-check';

import { CANDIDATE_LABEL, OUTCOME_LABELS } from '../../../core/secrets/credential-labels';
import {
  type CredentialSnapshot,
  type SecretFailure,
  type TokenSnapshot,
} from '../../../core/deployment/deployment-snapshot';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { ENSURE_ERROR_CODES } from '../../../core/tokens/token-refresh';
import { describeCredential, timeToExpiryMs } from '../../../core/findings/describe';
import { inspect } from '../../../core/findings/inspect';
import { deploymentOf } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { at, credential, DAY_MS, namesOf, NOT_LOADED, snapshotOf, token } from './snapshots';

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

describe('on any snapshot', () => {
  const failures: SecretFailure[] = [
    { access: 'missing' },
    { access: 'scheduled_for_deletion' },
    { access: 'denied', action: 'secretsmanager:GetSecretValue', resource: 'arn:r' },
    { access: 'unavailable', reason: 'no answer in time' },
  ];
  const anyFailure = fc.constantFrom(...failures);
  const maybeTime = fc.option(fc.constantFrom(at(-400 * DAY_MS), at(-DAY_MS), at(0), at(DAY_MS), 'no time'), {
    nil: undefined,
  });
  const labels = ['AWSCURRENT', 'AWSPREVIOUS', 'AWSPENDING', CANDIDATE_LABEL, ...OUTCOME_LABELS];
  const anyVersion = fc.record({ versionId: fc.string(), labels: fc.subarray(labels), createdAt: maybeTime });
  const anyCredential = fc
    .tuple(
      fc.constantFrom(...CREDENTIAL_KINDS),
      fc.oneof(
        anyFailure,
        fc.record({ versions: fc.array(anyVersion), promotedAt: maybeTime, validUntil: maybeTime }),
      ),
    )
    .map(([kind, state]) => ({ ...credential(kind), ...state }) as CredentialSnapshot);
  const anyToken = fc
    .oneof(
      anyFailure,
      fc.record({
        renewalError: fc.record({ code: fc.constantFrom(...ENSURE_ERROR_CODES), message: fc.string() }),
      }),
      fc.constantFrom(token(0), token(DAY_MS, 'other'), { token: undefined }),
    )
    .map((state) => ({ ...token(), ...state }) as TokenSnapshot);
  const anySnapshot = fc
    .array(
      fc.record({
        tenantId: fc.constantFrom('a', 'b', 'c'),
        credentials: fc.array(anyCredential, { maxLength: 2 }),
        tokens: fc.array(anyToken, { maxLength: 4 }),
      }),
      { maxLength: 4 },
    )
    .map((tenants) => ({ takenAt: at(0), deployment: deploymentOf(['a', 'b', 'c']), tenants }));

  test('findings are complete, and in an order independent of the snapshot’s', () => {
    fc.assert(
      fc.property(anySnapshot, (snapshot) => {
        const findings = inspect({ snapshot, nowMs: NOON_MS });
        const reversed = { ...snapshot, tenants: [...snapshot.tenants].reverse() };

        expect(namesOf(inspect({ snapshot: reversed, nowMs: NOON_MS }))).toEqual(namesOf(findings));
        for (const { message, meaning, repair } of findings) {
          expect(message).toMatch(/\.$/);
          expect(meaning).toMatch(/\.$/);
          expect(repair.command ?? 'npx cdk ').toMatch(/^(latchkey|npx cdk) /);
          expect(repair.command ?? repair.remedy).toBeDefined();
          expect(message).not.toMatch(/undefined|NaN|Invalid/);
        }
      }),
    );
  });

  test('findings contain no unknown fields', () => {
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
});
