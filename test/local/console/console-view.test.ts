import { type ShownAlarm } from '../../../local/console/alarms-view';
import { consoleView } from '../../../local/console/console-view';
import {
  ACCESS_LOG,
  DEPLOYMENT_KEY,
  CONTENT_ID,
  DAY_MS,
  HOUR_MS,
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
const restoreLine = (path: string, status: string, more: object = {}): object => ({
  resourcePath: '/tenants/{tenantId}/contents/{contentId}/restore',
  path,
  status,
  ...more,
});
const alarm = (name: string, more: Partial<ShownAlarm> = {}): ShownAlarm => ({
  name,
  description: 'Something happened.',
  state: 'ALARM',
  stateUpdatedMs: NOW_MS,
  isPaging: false,
  ...more,
});

describe('tokens and credentials', () => {
  test('are shown with their times, without their values', () => {
    const { tokens, credentials, findings } = tenantOf(new ShownAccount());

    expect(tokens).toEqual([
      {
        interface: 'content',
        scope: 'api/write',
        access: 'ok',
        issuedAtMs: NOW_MS - HOUR_MS / 2,
        expiresAtMs: NOW_MS + HOUR_MS / 2,
      },
    ]);
    expect(credentials).toEqual([
      { kind: 'client-credentials', state: 'loaded', promotedAtMs: NOW_MS - 10 * DAY_MS },
      {
        kind: 'api-key',
        state: 'loaded',
        promotedAtMs: NOW_MS - 10 * DAY_MS,
        validUntilMs: NOW_MS + 365 * DAY_MS,
      },
    ]);
    expect(findings).toEqual([]);
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

    const { tokens, credentials, findings } = tenantOf(shown);

    expect(tokens[0]).toEqual({ interface: 'content', scope: 'api/write', access: 'scheduled_for_deletion' });
    expect(credentials[1]).toEqual({
      kind: 'api-key',
      state: 'missing',
      problem: { kind: 'secret_missing', severity: 'critical' },
    });
    expect(findings.map(({ kind }) => kind)).toEqual(['secret_missing', 'secret_scheduled_for_deletion']);
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
    shown.put(WRITE_TOKEN, {
      versionId: 'v-1',
      secretString: tokenValue({ expiresAt: '2026-07-26T11:59:00.000Z' }),
    });

    expect(tenantOf(shown).findings).toEqual([
      {
        kind: 'token_expired',
        severity: 'critical',
        message: 'The token content api/write expired at 2026-07-26T11:59:00.000Z.',
        meaning: 'The platform refuses callers that use it.',
        command: `latchkey doctor --environment staging --platform-region mea --tenant ${TENANT_ID} --local`,
      },
    ]);
  });

  test('a refused credential is one finding with one command, and counts as a problem of the credential', () => {
    const shown = new ShownAccount();
    shown.put(WRITE_TOKEN, {
      versionId: 'v-1',
      secretString: tokenValue({ expiresAt: '2026-07-26T11:59:00.000Z' }),
    });
    const alarms = [alarm(`latchkey-staging-mea/${TENANT_ID}/credential-refused`)];

    const { deployments, alarms: shownAlarms } = consoleView(shown.input({ alarms }));

    const { findings, credentials } = deployments[0]!.tenants[0]!;
    expect(findings).toMatchObject([
      {
        kind: 'credential_refused',
        message: expect.stringContaining('1 token affected: 1 expired.') as string,
        command: expect.stringMatching(/^latchkey credentials put /) as string,
      },
    ]);
    expect(credentials.map(({ problem }) => problem)).toEqual([
      { kind: 'credential_refused', severity: 'critical' },
      undefined,
    ]);
    expect(shownAlarms.inAlarm[0]!.advice).toMatch(/^The cause: The platform refuses the client credential /);
  });

  test('a disabled schedule is a finding of the deployment', () => {
    const shown = new ShownAccount();
    for (const schedule of shown.account.schedules.values()) schedule.state = 'DISABLED';

    const { findings } = consoleView(shown.input()).deployments[0]!;

    expect(findings.map(({ kind }) => kind)).toEqual(['schedule_disabled']);
    expect(findings[0]!.message).toMatch(/token-sweep.*credential-watch/);
    expect(consoleView(new ShownAccount().input()).deployments[0]!.findings).toEqual([]);
  });
});

const alarmsOf = (...alarms: ShownAlarm[]) => consoleView(new ShownAccount().input({ alarms })).alarms;

describe('alarms', () => {
  test('in ALARM are shown with tenant and advice, those that notify first; the others are counted', () => {
    const view = alarmsOf(
      alarm('latchkey-staging-mea/token-life', { stateUpdatedMs: NOW_MS + 1 }),
      alarm(`latchkey-staging-mea/${TENANT_ID}/credential-refused`, { isPaging: true }),
      alarm('latchkey-staging-mea/dead-letters', { state: 'OK' }),
      alarm('latchkey-staging-mea/throttles', { state: 'INSUFFICIENT_DATA' }),
      alarm('somebody-elses'),
    );

    const told = { ...DEPLOYMENT_KEY, advice: 'Something happened.' };
    expect(view).toEqual({
      inAlarm: [
        { ...told, name: 'credential-refused', tenantId: TENANT_ID, sinceMs: NOW_MS, notifies: true },
        { ...told, name: 'token-life', sinceMs: NOW_MS + 1, notifies: false },
      ],
      counts: { alarm: 2, ok: 1, insufficientData: 1 },
    });
  });

  test('advise commands for this system, not for AWS', () => {
    const description = 'Run `latchkey doctor --environment staging`, and see docs/alarms.md.';
    const [shown] = alarmsOf(alarm('latchkey-staging-mea/token-life', { description })).inAlarm;

    expect(shown!.advice).toBe(
      'Run `latchkey doctor --environment staging --local`, and see docs/alarms.md.',
    );
  });
});

describe('faults, requests and restores', () => {
  test('a fault is shown without its response body', () => {
    const faults = [
      { target: 'token' as const, status: 503, times: 2, match: { ...PLACE, interface: 'content' } },
      { target: 'content' as const, reset: 'after' as const, delayMs: 1500, body: 'CANARY-body' },
    ];

    expect(consoleView(new ShownAccount().input({ faults })).faults).toEqual([
      { target: 'token', effect: 'returns 503', times: 2, place: PLACE },
      { target: 'content', effect: 'waits 1.5 s, then breaks the connection after processing' },
    ]);
  });

  test('the last 30 requests are shown latest first, without unknown path segments', () => {
    const at = (n: number): string => new Date(NOW_MS + n).toISOString();
    const request = { target: 'content' as const, method: 'POST', status: 200 };
    const requests = [
      ...Array.from({ length: 30 }, (_, n) => ({
        ...request,
        at: at(n),
        path: '/staging/mea/rest/v1/contents',
      })),
      { ...request, at: at(30), path: `/staging/mea/auth/oauth2/token/${TENANT_ID}` },
      { ...request, at: at(31), path: `/staging/mea/rest/v1/contents/${CONTENT_ID}/CANARY-path` },
    ];

    const shown = consoleView(new ShownAccount().input({ requests })).requests;

    expect(shown).toHaveLength(30);
    expect(shown.slice(0, 2)).toEqual([
      { ...request, at: undefined, atMs: NOW_MS + 31, path: `/staging/mea/rest/v1/contents/${CONTENT_ID}/…` },
      { ...request, at: undefined, atMs: NOW_MS + 30, path: `/staging/mea/auth/oauth2/token/${TENANT_ID}` },
    ]);
  });

  test('the last 20 restores are shown latest first, with the code of the function or else of API Gateway', () => {
    const shown = new ShownAccount();
    const path = `/v1/tenants/${TENANT_ID}/contents/${CONTENT_ID}/restore`;
    for (let n = 0; n < 20; n += 1) shown.log(ACCESS_LOG, NOW_MS + n, restoreLine(path, '200'));
    shown.log(ACCESS_LOG, NOW_MS + 20, restoreLine(path, '409', { requestId: 'r-1' }));
    shown.log(RESTORE_LOG, NOW_MS + 20, { apiRequestId: 'r-1', code: 'not_archived' });
    const stranger = '/v1/tenants/CANARY-tenant/contents/CANARY-content/restore';
    shown.log(ACCESS_LOG, NOW_MS + 21, restoreLine(stranger, '401', { errorType: 'UNAUTHORIZED' }));

    const { restores } = consoleView(shown.input());

    const full = { ...DEPLOYMENT_KEY, tenantId: TENANT_ID, contentId: CONTENT_ID };
    expect(restores).toHaveLength(20);
    expect(restores.slice(0, 3)).toEqual([
      { ...DEPLOYMENT_KEY, atMs: NOW_MS + 21, status: 401, code: 'unauthorized' },
      { ...full, atMs: NOW_MS + 20, status: 409, code: 'not_archived' },
      { ...full, atMs: NOW_MS + 19, status: 200 },
    ]);
  });
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
    versionId: 'v-1',
    secretString: JSON.stringify({ apiKey: canary, validUntil: `1 Aug 2026 (${canary})` }),
  });
  shown.put(`${NAME_START}/client-credentials`, { versionId: 'v-client', secretString: `no JSON ${canary}` });
  shown.log(RESTORE_LOG, NOW_MS, { apiRequestId: 'r-1', code: canary });
  const path = `/v1/tenants/${TENANT_ID}/contents/CANARY-id/restore`;
  shown.log(ACCESS_LOG, NOW_MS, restoreLine(path, '404', { requestId: 'r-1', errorType: canary }));
  const at = new Date(NOW_MS).toISOString();
  const request = { at, target: 'token' as const, method: 'POST', path: `/${canary}`, status: 404 };
  const fault = { target: 'token' as const, status: 503, match: { tenantId: canary } };

  const view = JSON.stringify(consoleView(shown.input({ faults: [fault], requests: [request] })));

  expect(view).toContain('expired at 2026-07-26T');
  expect(view).toContain('The API key expires in');
  expect(view).toContain('returns 503');
  expect(view).not.toContain('CANARY');
});
