import {
  type CredentialSnapshot,
  type DeploymentSnapshot,
  type TokenSnapshot,
} from '../../../core/deployment/deployment-snapshot';
import { ALARMED_FINDINGS } from '../../../core/alarms/metrics';
import { inspect } from '../../../core/findings/inspect';
import { recordWatchMetrics } from '../../../lambdas/credential-watch/record-watch-metrics';
import { at, credential, DAY_MS, NOT_LOADED, token, version } from '../../core/findings/snapshots';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { deploymentOf } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const NO_FINDING = Object.fromEntries(ALARMED_FINDINGS.map((kind) => [kind, 0]));

/** A snapshot of a tenant that needs nothing, with changes. */
interface Seen {
  clientCredentials?: CredentialSnapshot;
  apiKey?: CredentialSnapshot;
  tokens?: TokenSnapshot[];
}

/** The metrics of a run, by default at noon; `unseen` are the tenants that were not inspected. */
function measured(seen: Record<string, Seen>, unseen: string[] = [], nowMs = NOON_MS): CountingMetrics {
  const tenants = Object.entries(seen).map(
    ([tenantId, { clientCredentials, apiKey, tokens = [token()] }]) => {
      const credentials = [
        clientCredentials ?? credential('client-credentials'),
        apiKey ?? credential('api-key'),
      ];
      return { tenantId, credentials, tokens };
    },
  );
  const deployment = deploymentOf([...Object.keys(seen), ...unseen]);
  const snapshot: DeploymentSnapshot = { takenAt: at(0), deployment, tenants };
  const metrics = new CountingMetrics();
  recordWatchMetrics(metrics, snapshot, inspect({ snapshot, nowMs }), nowMs);
  return metrics;
}

const loadedFor = (days: number) => credential('client-credentials', { promotedAt: at(-days * DAY_MS) });
const validFor = (days: number) => credential('api-key', { validUntil: at(days * DAY_MS) });
const UNAVAILABLE: CredentialSnapshot = {
  kind: 'api-key',
  secretId: 'arn',
  access: 'unavailable',
  reason: 'throttled',
};

describe('a run', () => {
  test('is counted even if nothing was found but findings of severity info, which are not counted', () => {
    const { counts, faults } = measured({ a: { apiKey: credential('api-key', NOT_LOADED) } });

    expect(counts).toEqual({ WatchRun: 1 });
    expect(faults).toEqual(NO_FINDING);
  });

  test('counts the findings of each kind, and 0 for kinds with an alarm', () => {
    const refused = credential('client-credentials', {
      versions: [
        version('current', ['AWSCURRENT'], DAY_MS),
        version('pending', ['AWSPENDING', 'LATCHKEY_REFUSED'], DAY_MS),
      ],
    });

    const { faults } = measured({
      a: { clientCredentials: refused, tokens: [token(-1)] },
      b: { tokens: [token(-1)] },
    });

    expect(faults).toEqual({ ...NO_FINDING, candidate_refused: 1, token_expired: 2 });
  });

  test('for some tenants records only their own metrics', () => {
    const metrics = measured({ a: { clientCredentials: loadedFor(80), tokens: [token(-1)] } }, ['b']);

    expect(metrics.measured).toEqual([['CredentialAttention a', 1]]);
    expect(metrics).toMatchObject({ counts: {}, faults: {} });
  });

  test('records no zeros for a secret that it could not inspect, because an alarm would return to OK and notify again', () => {
    const { measured: measures, faults } = measured({
      a: { apiKey: UNAVAILABLE },
      b: {},
      c: { clientCredentials: loadedFor(80), apiKey: UNAVAILABLE },
    });

    const attention = measures.filter(([name]) => name.startsWith('CredentialAttention'));
    expect(attention).toEqual([
      ['CredentialAttention b', 0],
      ['CredentialAttention c', 1],
    ]);
    expect(faults).toEqual({ not_inspected: 2, rotation_due: 1 });
  });
});

describe('a credential’s age', () => {
  test('is that of the oldest of its kind, in days with fractions', () => {
    const metrics = measured({
      a: { clientCredentials: loadedFor(80.5) },
      b: { clientCredentials: loadedFor(2) },
    });

    expect(metrics.takeMeasured()).toMatchObject({
      'CredentialAge client-credentials': 80.5,
      'CredentialAge api-key': 1,
      CredentialAge: 80.5,
    });
  });

  test('is not recorded for a kind that is not loaded, or whose age is unknown', () => {
    const clientCredentials = credential('client-credentials', { promotedAt: undefined });
    const apiKey = credential('api-key', NOT_LOADED);

    expect(measured({ a: { clientCredentials, apiKey } }).measured).toEqual([['CredentialAttention a', 0]]);
  });
});

test.each([
  ['are those of the first', validFor(7.5), 7.5],
  ['are never below 0', validFor(-3), 0],
  ['are 0 if the value has no expiry', credential('api-key', { validUntil: undefined }), 0],
])('the days until an API key expires %s', (_, apiKey, days) => {
  expect(measured({ a: { apiKey }, b: {} }).takeMeasured()).toMatchObject({ 'DaysToExpiry api-key': days });
});

describe('findings that need a person', () => {
  test('are counted by tenant, and 0 for a tenant that needs nothing', () => {
    const measures = measured({
      a: { clientCredentials: loadedFor(80), apiKey: validFor(3), tokens: [token(-1)] },
      b: {},
    }).takeMeasured();

    expect(measures).toMatchObject({ 'CredentialAttention a': 2, 'CredentialAttention b': 0 });
  });

  test('are not recorded for a tenant without any loaded credential', () => {
    const nothing = {
      clientCredentials: credential('client-credentials', NOT_LOADED),
      apiKey: credential('api-key', NOT_LOADED),
    };

    expect(measured({ a: nothing, b: {} }).takeMeasured()).not.toHaveProperty('CredentialAttention a');
  });
});

describe('a tenant that needs nothing, and whose secrets did not change', () => {
  const HOUR_MS = DAY_MS / 24;
  const changed = (hoursAgo: number) => ({ changedAt: at(-hoursAgo * HOUR_MS) });
  const seen = (hoursAgo: number, change = {}) => ({
    clientCredentials: credential('client-credentials', changed(100)),
    apiKey: credential('api-key', { ...changed(hoursAgo), ...change }),
  });
  const reported = (tenant: Seen, afterNoonHours = 0) =>
    measured({ a: tenant }, [], NOON_MS + afterNoonHours * HOUR_MS).takeMeasured()['CredentialAttention a'];

  test('is reported in one of four runs a day, since each hour with data costs', () => {
    const runs = [0, 6, 12, 18].map((hours) => reported(seen(30), hours));

    expect(runs).toEqual([undefined, undefined, 0, undefined]);
  });

  test('is reported for a day after a change, which may have ended a finding', () => {
    expect([1, 23, 25].map((hoursAgo) => reported(seen(hoursAgo)))).toEqual([0, 0, undefined]);
  });

  test('is reported in every run while it has a finding', () => {
    expect(reported(seen(30, { validUntil: at(0) }))).toBe(1);
  });
});
