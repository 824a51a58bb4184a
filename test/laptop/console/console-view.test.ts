import { type ShownAlarm } from '../../../laptop/console/alarms-view';
import { METRIC_NAMESPACE } from '../../../core/alarms/metrics';
import { RESTORE_LOG_MESSAGE } from '../../../core/restore/restore-audit';
import { MetricStore } from 'cdk-on-loopback/testing';
import { consoleView } from '../../../laptop/console/console-view';
import { type SandboxRequest } from '../../../laptop/sandbox-control';
import {
  ACCESS_LOG,
  DEPLOYMENT,
  DEPLOYMENT_KEY,
  CONTENT_ID,
  DAY_MS,
  HOUR_MS,
  KEY_VERSION,
  NAME_START,
  NOW_MS,
  PLACE,
  RESTORE_LOG,
  ShownAccount,
  TENANT_ID,
  tokenValue,
  WRITE_TOKEN,
} from './shown-account';

const tenantOf = (shown: ShownAccount) => consoleView(shown.input()).deployments[0]!.tenants[0]!;
const findingsOf = (shown: ShownAccount) => consoleView(shown.input()).findings;
const viewWith = (more: Parameters<ShownAccount['input']>[0]) => consoleView(new ShownAccount().input(more));
const DUE = { what: 'due', atMs: NOW_MS + 80 * DAY_MS };
const EXPIRED = { versionId: 'v-1', secretString: tokenValue({ expiresAt: '2026-07-26T11:59:00.000Z' }) };
/** Logs a request to the restore API as API Gateway does. */
const logAccess = (shown: ShownAccount, atMs: number, status: string, more: object = {}): void =>
  shown.log(ACCESS_LOG, atMs, {
    resourcePath: '/tenants/{tenantId}/contents/{contentId}/restore',
    path: `/v1/tenants/${TENANT_ID}/contents/${CONTENT_ID}/restore`,
    status,
    ...more,
  });
const request = (more: Partial<SandboxRequest> = {}): SandboxRequest => ({
  at: new Date(NOW_MS).toISOString(),
  target: 'token',
  method: 'POST',
  path: '/oauth2/token',
  status: 200,
  durationMs: 4,
  ...more,
});
const alarm = (name: string, more: Partial<ShownAlarm> = {}): ShownAlarm => ({
  name,
  description: 'Something happened.',
  state: 'ALARM',
  stateUpdatedMs: NOW_MS,
  notifies: false,
  ...more,
});

describe('tokens and credentials', () => {
  test('are shown with their times, without their values', () => {
    const shown = new ShownAccount();
    const { tokens, credentials } = tenantOf(shown);

    expect(tokens).toEqual([
      { interface: 'content', scope: 'api/write', access: 'ok', expiresAtMs: NOW_MS + HOUR_MS / 2 },
    ]);
    const expiry = { what: 'expiry', atMs: NOW_MS + 365 * DAY_MS };
    expect(credentials).toEqual([
      { kind: 'client-credentials', state: 'loaded', dates: [DUE] },
      { kind: 'api-key', state: 'loaded', dates: [DUE, expiry] },
    ]);
    expect(findingsOf(shown)).toEqual([]);
  });

  test('that the platform refused are found, as status finds them', () => {
    const shown = new ShownAccount();
    shown.judgeKey({ isRefused: true });

    expect(findingsOf(shown)).toMatchObject([{ kind: 'credential_refused', severity: 'critical' }]);
  });

  test('that were never loaded are shown as such, without an expiry', () => {
    const shown = new ShownAccount();
    for (const secret of shown.account.secrets.values()) secret.versions.clear();

    const { tokens, credentials } = tenantOf(shown);

    expect(tokens).toEqual([{ interface: 'content', scope: 'api/write', access: 'ok' }]);
    expect(credentials).toEqual([
      { kind: 'client-credentials', state: 'not loaded' },
      { kind: 'api-key', state: 'not loaded' },
    ]);
  });

  test('whose secret is scheduled for deletion or missing are shown as such', () => {
    const shown = new ShownAccount();
    shown.put(WRITE_TOKEN, {}).deletedAtMs = NOW_MS;
    shown.account.secrets.delete(shown.put(`${NAME_START}/api-key`, {}).arn);

    const { tokens, credentials } = tenantOf(shown);

    expect(tokens[0]).toEqual({ interface: 'content', scope: 'api/write', access: 'scheduled_for_deletion' });
    expect(credentials[1]).toEqual({
      kind: 'api-key',
      state: 'missing',
      problem: { kind: 'secret_missing', severity: 'critical' },
    });
    expect(findingsOf(shown).map(({ kind }) => kind)).toEqual([
      'secret_missing',
      'secret_scheduled_for_deletion',
    ]);
  });

  test.each([
    ['AWSPENDING', 'pending'],
    ['LATCHKEY_CANDIDATE', 'staged'],
  ])('a version with %s is shown as %s', (label, successor) => {
    const shown = new ShownAccount();
    shown.put(`${NAME_START}/client-credentials`, { stages: new Set([label]) });

    expect(tenantOf(shown).credentials[0]).toMatchObject({ successor });
  });

  test('findings have their meaning and the command for this system', () => {
    const shown = new ShownAccount();
    shown.put(WRITE_TOKEN, EXPIRED);

    expect(findingsOf(shown)).toEqual([
      {
        ...PLACE,
        kind: 'token_expired',
        severity: 'critical',
        message: 'The token content api/write expired at 2026-07-26T11:59:00.000Z.',
        meaning: 'Callers that use it get 401.',
        command: `npx latchkey doctor --environment staging --platform-region mea --tenant ${TENANT_ID} --local`,
      },
    ]);
  });

  test('a refused credential is one finding with one command, and counts as a problem of the credential', () => {
    const shown = new ShownAccount();
    shown.put(WRITE_TOKEN, EXPIRED);
    const alarms = [alarm(`latchkey-staging-mea/${TENANT_ID}/credential-refused`)];

    const { deployments, findings, alarms: shownAlarms } = consoleView(shown.input({ alarms }));

    const message = expect.stringContaining('1 token affected: 1 expired.') as string;
    expect(findings).toMatchObject([{ kind: 'credential_refused', message }]);
    expect(deployments[0]!.tenants[0]!.credentials.map(({ problem }) => problem)).toEqual([
      { kind: 'credential_refused', severity: 'critical' },
      undefined,
    ]);
    expect(shownAlarms.inAlarm[0]!.advice).toMatch(/^The cause: The issuer refuses the client credential /);
  });
});

describe('the availability of restore', () => {
  const [deployment] = new ShownAccount().input().deployments;
  const metricsWith = (
    mismatches: readonly number[],
    dimensions: Record<string, string> = DEPLOYMENT_KEY,
  ) => {
    const metrics = new MetricStore();
    for (const [n, value] of mismatches.entries()) {
      metrics.put({
        namespace: METRIC_NAMESPACE,
        metricName: 'RestoreAvailabilityMismatch',
        dimensions,
        unit: 'Count',
        value,
        timestampMs: NOW_MS + n,
      });
    }
    return metrics;
  };

  test.each([
    [true, [1, 0], 'offered by the platform', { foundAtMs: NOW_MS + 1 }],
    [false, [0], 'not offered by the platform, as configured', { foundAtMs: NOW_MS }],
    [true, [], 'not known yet: no answer of the platform so far', {}],
    [
      true,
      [1],
      'not offered by the platform, although restore.available is true',
      { foundAtMs: NOW_MS, severity: 'critical' },
    ],
  ])('restore.available %s, and the mismatches %j: %s', (available, mismatches, text, more) => {
    const metrics = metricsWith(mismatches);
    const file = { ...DEPLOYMENT, restore: { ...DEPLOYMENT.restore, available } };

    const { deployments, findings } = viewWith({ metrics, deployments: [{ ...deployment!, file }] });

    expect(deployments[0]!.restore).toEqual({ text, ...more });
    expect(findings.map(({ severity }) => ({ severity }))).toEqual(
      'severity' in more ? [{ severity: more.severity }] : [],
    );
  });

  test.each([
    ['latchkey', undefined],
    ['acme', NOW_MS],
  ])('that was found for the prefix acme is that of the prefix %s: %s', (prefix, foundAtMs) => {
    const metrics = metricsWith([0], { prefix: 'acme', ...DEPLOYMENT_KEY });
    const { deployments } = viewWith({
      metrics,
      deployments: [{ ...deployment!, file: { ...DEPLOYMENT, prefix } }],
    });

    expect(deployments[0]!.restore?.foundAtMs).toBe(foundAtMs);
  });

  test('is not shown without a restore API', () => {
    const { deployments } = viewWith({ deployments: [{ ...deployment!, hasRestoreApi: false }] });

    expect(deployments[0]!.restore).toBeUndefined();
  });
});

const alarmsOf = (...alarms: ShownAlarm[]) => viewWith({ alarms }).alarms;

describe('alarms', () => {
  test('in ALARM are shown with tenant and advice for this system, those that notify first; the others are counted', () => {
    const view = alarmsOf(
      alarm('latchkey-staging-mea/sweep-silent', {
        stateUpdatedMs: NOW_MS + 1,
        description: 'Run `latchkey doctor`.',
      }),
      alarm(`latchkey-staging-mea/${TENANT_ID}/credential-refused`, { notifies: true }),
      alarm('latchkey-staging-mea/dead-letters', { state: 'OK' }),
      alarm('latchkey-staging-mea/throttles', { state: 'INSUFFICIENT_DATA' }),
      alarm('somebody-elses'),
    );

    const ends = 'If the fault is over, the alarm ends within ten minutes of the next sweep.';
    const told = { ...DEPLOYMENT_KEY, advice: `When it began: Run \`npx latchkey doctor --local\`. ${ends}` };
    const over = { ...told, advice: 'The fault is over. The alarm ends by itself within 11 minutes.' };
    expect(view).toEqual({
      inAlarm: [
        { ...over, name: 'credential-refused', tenantId: TENANT_ID, sinceMs: NOW_MS, notifies: true },
        { ...told, name: 'sweep-silent', sinceMs: NOW_MS + 1, notifies: false },
      ],
      counts: { alarm: 2, ok: 1, insufficientData: 1 },
    });
  });

  test('over others are called over only if all of those are', () => {
    const shown = new ShownAccount();
    // Due, so that nothing tells whether renewals still fail, but it lives for longer than `token-life` asks.
    const secretString = tokenValue({ expiresAt: '2026-07-26T12:15:00.000Z' });
    shown.put(WRITE_TOKEN, { versionId: 'v-1', secretString });
    const alarms = ['tokens-blocked', 'token-life', 'tokens'].map((id) =>
      alarm(`latchkey-staging-mea/${id}`),
    );

    const { inAlarm } = consoleView(shown.input({ alarms })).alarms;

    const advice = Object.fromEntries(inAlarm.map((each) => [each.name, each.advice]));
    expect(advice['token-life']).toContain('The fault is over.');
    expect(advice['tokens-blocked']).toContain('If the fault is over,');
    expect(advice.tokens).toBe(advice['tokens-blocked']);
  });
});

describe('faults, requests and restores', () => {
  test('a fault is shown without its response body', () => {
    const faults = [
      { target: 'token' as const, status: 503, times: 2, match: { ...PLACE, interface: 'content' } },
      { target: 'content' as const, reset: 'after' as const, delayMs: 1500, body: 'CANARY-body' },
      { target: 'resource' as const, status: 500, match: { issuer: 'CANARY-issuer' } },
    ];

    expect(viewWith({ faults }).faults).toEqual([
      { target: 'token', effect: 'returns 503', times: 2, place: PLACE },
      { target: 'content', effect: 'waits 1.5 s, then breaks the connection after processing' },
      { target: 'resource', effect: 'returns 500', place: { issuer: '…' } },
    ]);
  });

  test('the last 200 requests are shown latest first, without unknown path segments', () => {
    const requests = [
      ...Array.from({ length: 200 }, () => request({ path: '/staging/mea/rest/v1/contents' })),
      request({ path: `/staging/mea/auth/oauth2/token/${TENANT_ID}` }),
      request({ path: `/staging/mea/rest/v1/contents/${CONTENT_ID}/CANARY-path` }),
    ];

    const shown = viewWith({ requests }).requests;

    expect(shown).toHaveLength(200);
    expect(shown.slice(0, 2)).toMatchObject([
      { atMs: NOW_MS, method: 'POST', path: `/staging/mea/rest/v1/contents/${CONTENT_ID}/…`, status: 200 },
      { path: `/staging/mea/auth/oauth2/token/${TENANT_ID}` },
    ]);
  });

  test('a request has its duration, its tenant if configured, and the injected fault in words', () => {
    const requests = [
      request({ durationMs: 3, tenantId: 'CANARY-tenant' }),
      request({ tenantId: TENANT_ID, fault: { delayMs: 1500, reset: 'before' } }),
      request({ fault: { dependency: 'store' } }),
      request({ fault: {} }),
    ];

    const shown = viewWith({ requests }).requests.reverse();

    expect(shown.map(({ durationMs, tenantId, fault }) => [durationMs, tenantId, fault])).toEqual([
      [3, undefined, undefined],
      [4, TENANT_ID, 'waits 1.5 s, then breaks the connection before processing'],
      [4, undefined, 'fails at the store'],
      [4, undefined, 'returns a different response'],
    ]);
  });

  test('a restore shows who asked for it, by the line of the restore function', () => {
    const shown = new ShownAccount();
    logAccess(shown, NOW_MS, '200', { requestId: 'r-1', responseLatency: '41' });
    const who = {
      scheme: 'bearer',
      caller: 'content api/write',
      callerVersion: 'current',
      authorRef: 'author-1',
      collaborationId: 'team-1',
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    };
    const line = { apiRequestId: 'r-1', code: 'restored', status: 200, ...who, reason: 'CANARY' };
    shown.log(RESTORE_LOG, NOW_MS, { ...line, message: RESTORE_LOG_MESSAGE });
    shown.log(RESTORE_LOG, NOW_MS, { ...line, message: 'another line', authorRef: 'CANARY' });

    const place = { ...PLACE, contentId: CONTENT_ID };
    expect(consoleView(shown.input()).restores).toEqual([
      { ...place, atMs: NOW_MS, status: 200, durationMs: 41, requestId: 'r-1', ...who },
    ]);
  });

  test('the last 20 restores are shown latest first, with the code of the function or else of API Gateway', () => {
    const shown = new ShownAccount();
    for (let n = 0; n < 20; n += 1) logAccess(shown, NOW_MS + n, '200');
    logAccess(shown, NOW_MS + 20, '409', { requestId: 'r-1' });
    const line = { message: RESTORE_LOG_MESSAGE, apiRequestId: 'r-1', code: 'not_archived' };
    shown.log(RESTORE_LOG, NOW_MS + 20, line);
    const path = '/v1/tenants/CANARY-tenant/contents/CANARY-content/restore';
    logAccess(shown, NOW_MS + 21, '401', { path, errorType: 'UNAUTHORIZED' });

    const { restores } = consoleView(shown.input());

    const place = { ...PLACE, contentId: CONTENT_ID };
    expect(restores).toHaveLength(20);
    expect(restores.slice(0, 3)).toEqual([
      { ...DEPLOYMENT_KEY, atMs: NOW_MS + 21, status: 401, code: 'unauthorized' },
      { ...place, atMs: NOW_MS + 20, status: 409, requestId: 'r-1', code: 'not_archived' },
      { ...place, atMs: NOW_MS + 19, status: 200 },
    ]);
  });
});

test('the expiry of an API key in an adopted secret is read by the secret’s field names', () => {
  const shown = new ShownAccount();
  const secretString = '{"key":"CANARY-api-key","until":"2027-01-01T00:00:00.000Z"}';
  const { arn } = shown.put('legacy/key', { secretString });
  const [tenant] = DEPLOYMENT.tenants;
  const adopted = { apiKey: { arn, fields: { apiKey: 'key', validUntil: 'until' } } };
  const file = { ...DEPLOYMENT, tenants: [{ ...tenant!, adopted }] };
  const [deployment] = shown.input().deployments;

  const view = consoleView(shown.input({ deployments: [{ ...deployment!, file }] }));

  const expiry = { what: 'expiry', atMs: Date.parse('2027-01-01T00:00:00.000Z') };
  expect(view.deployments[0]!.tenants[0]!.credentials[1]!.dates).toContainEqual(expiry);
});

test('secrets planted in values, paths, faults and logs are not in the view', () => {
  const shown = new ShownAccount();
  const canary = 'CANARY';
  shown.put(WRITE_TOKEN, { versionId: 'v-2', stages: new Set(['AWSPREVIOUS']), secretString: tokenValue() });
  shown.put(WRITE_TOKEN, {
    versionId: 'v-1',
    secretString: tokenValue({ expiresAt: `26 Jul 2026 11:30 (${canary})`, more: canary }),
  });
  shown.put(`${NAME_START}/api-key`, {
    versionId: KEY_VERSION,
    secretString: JSON.stringify({ apiKey: canary, validUntil: `1 Aug 2026 (${canary})` }),
  });
  shown.put(`${NAME_START}/client-credentials`, { versionId: 'v-client', secretString: `no JSON ${canary}` });
  const line = { message: RESTORE_LOG_MESSAGE, apiRequestId: 'r-1' };
  shown.log(RESTORE_LOG, NOW_MS, { ...line, code: canary, reason: canary, detail: canary });
  const path = `/v1/tenants/${TENANT_ID}/contents/CANARY-id/restore`;
  logAccess(shown, NOW_MS, '404', { path, requestId: 'r-1', errorType: canary });
  const fault = { target: 'token' as const, status: 503, match: { tenantId: canary } };
  const requests = [request({ path: `/${canary}`, status: 404, tenantId: canary })];

  const view = JSON.stringify(consoleView(shown.input({ faults: [fault], requests })));

  expect(view).toContain('expired at 2026-07-26T');
  expect(view).toContain('The API key expires in');
  expect(view).toContain('returns 503');
  expect(view).not.toContain('CANARY');
});

test('of many alarms, only the first are listed, and all are counted', () => {
  const many = Array.from({ length: 300 }, (_, n) => alarm(`latchkey-staging-mea/t${n}/credential-refused`));

  const shown = alarmsOf(...many);

  expect(shown.inAlarm).toHaveLength(50);
  expect(shown.counts.alarm).toBe(300);
});
