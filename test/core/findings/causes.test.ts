import { DEPLOYMENT_ALARM_ROWS, type DeploymentAlarm } from '../../../core/alarms/alarm-rows';
import { deploymentAlarmName, tenantAlarmName } from '../../../core/alarms/alarms';
import { type TokenSnapshot } from '../../../core/deployment/deployment-snapshot';
import { type EnsureErrorCode } from '../../../core/tokens/token-refresh';
import { alarmsByCause } from '../../../core/findings/alarm-causes';
import { groupByCause, symptomLines } from '../../../core/findings/causes';
import { inspect, type InspectInput } from '../../../core/findings/inspect';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { at, credential, DAY_MS, MINUTE_MS, namesOf, snapshotOf, token, version } from './snapshots';

const PLACE = { environment: 'staging', platformRegion: 'mea' } as const;
const REFUSED_ALARM = tenantAlarmName('latchkey', { ...PLACE, tenantId: TENANT_ID }, 'credential-refused');
const alarmOf = (id: Parameters<typeof deploymentAlarmName>[2]) => deploymentAlarmName('latchkey', PLACE, id);

const low: TokenSnapshot = token(4 * MINUTE_MS);
const expired: TokenSnapshot = { ...token(-MINUTE_MS), interface: 'content', scope: 'api/write' };
const missing: TokenSnapshot = { ...token(), interface: 'content', scope: 'api/all', token: undefined };
const unrenewed = [low, expired, missing];

function failing(tokens: TokenSnapshot[], code: EnsureErrorCode): TokenSnapshot[] {
  return tokens.map((each) => ({ ...each, renewalError: { code, message: 'status 503' } }) as TokenSnapshot);
}

function inspected(parts: Parameters<typeof snapshotOf>[0], more: Partial<InspectInput> = {}) {
  const findings = inspect({ snapshot: snapshotOf(parts), nowMs: NOON_MS, ...more });
  return { findings, groups: groupByCause(findings) };
}

/** Each group as its finding's kind with its symptoms' kinds. */
function treeOf({ groups }: ReturnType<typeof inspected>) {
  return groups.map(({ finding, symptoms }) => [finding.kind, symptoms.map(({ kind }) => kind)]);
}

const TOKEN_SYMPTOMS = ['token_expired', 'token_low', 'token_missing'];

describe('tokens that are not renewed are symptoms', () => {
  test('of a refused credential, as the alarm of its tenant says', () => {
    const seen = inspected({ tokens: unrenewed }, { alarms: [REFUSED_ALARM] });

    expect(treeOf(seen)).toEqual([['credential_refused', TOKEN_SYMPTOMS]]);
    const [{ finding, symptoms }] = seen.groups as [(typeof seen.groups)[0]];
    expect(finding.repair.command).toMatch(/^latchkey credentials put /);
    expect(finding.repair.remedy).toContain('support');
    for (const { cause, repair } of symptoms) {
      expect(cause).toMatchObject({ kind: 'credential_refused', credential: 'client-credentials' });
      expect(repair).toEqual({ command: finding.repair.command, remedy: finding.repair.remedy });
    }
    expect(symptomLines(seen.groups[0]!)).toEqual([
      '3 tokens affected: 1 expired, 1 expiring soon, 1 missing.',
    ]);
  });

  test.each(['credential_refused', 'scope_refused', 'not_loaded'] as const)(
    'of a refused credential, as a renewal says with %s',
    (code) => {
      expect(treeOf(inspected({ tokens: failing(unrenewed, code) }))).toEqual([
        ['credential_refused', TOKEN_SYMPTOMS],
      ]);
    },
  );

  test('of a platform that is down, for which a person can only wait', () => {
    const seen = inspected({ tokens: failing(unrenewed, 'platform_unavailable') });

    expect(treeOf(seen)).toEqual([['platform_unavailable', TOKEN_SYMPTOMS]]);
    const [{ finding }] = seen.groups as [(typeof seen.groups)[0]];
    expect(finding.place).toEqual(PLACE);
    expect(finding.message).toContain('status 503');
    expect(finding.repair).toEqual({ remedy: expect.stringMatching(/^Wait/) as string });
  });

  test.each(['store_unavailable', 'write_budget_spent'] as const)(
    'of a renewal that fails with %s',
    (code) => {
      const seen = inspected({ tokens: failing([low], code) });

      expect(treeOf(seen)).toEqual([['renewal_failed', ['token_low']]]);
      expect(seen.findings[0]!.repair.remedy).toMatch(/docs\/runbook\/\S+\.md/);
    },
  );

  test.each(['missing', 'scheduled_for_deletion'] as const)(
    'of a credential’s secret that is %s',
    (access) => {
      const clientCredentials = { kind: 'client-credentials', secretId: 'arn:c', access } as const;

      expect(treeOf(inspected({ clientCredentials, tokens: [low, expired] }))).toEqual([
        [`secret_${access}`, ['token_expired', 'token_low']],
      ]);
    },
  );

  test('of a disabled schedule of token-sweep, but not of credential-watch', () => {
    const stateOf = (functionName: 'token-sweep' | 'credential-watch') =>
      inspected(
        { tokens: unrenewed },
        { schedules: [{ functionName, name: functionName, state: 'disabled' }] },
      );

    expect(treeOf(stateOf('token-sweep'))).toEqual([['schedule_disabled', TOKEN_SYMPTOMS]]);
    expect(treeOf(stateOf('credential-watch'))).toEqual([
      ['schedule_disabled', []],
      ['token_expired', []],
    ]);
  });

  test('of a refused credential where both it and the platform fail', () => {
    const tokens = [...failing([low], 'scope_refused'), ...failing([expired], 'platform_unavailable')];

    expect(treeOf(inspected({ tokens }))).toEqual([
      ['platform_unavailable', ['token_expired']],
      ['credential_refused', ['token_low']],
    ]);
  });
});

test('a token is no symptom of what another tenant has', () => {
  const snapshot = snapshotOf({ tokens: failing([low], 'credential_refused') });
  const unavailable = { kind: 'client-credentials', secretId: 'arn:c', access: 'unavailable' } as const;
  const [refused] = snapshot.tenants as [(typeof snapshot.tenants)[0]];
  snapshot.tenants = [
    refused,
    { ...refused, tenantId: 'zz-other', credentials: [{ ...unavailable, reason: 'no answer' }] },
  ];

  const findings = inspect({ snapshot, nowMs: NOON_MS });

  const symptom = (tenantId: string) =>
    findings.find(({ kind, place }) => kind === 'token_low' && place.tenantId === tenantId);
  expect(symptom(TENANT_ID)?.cause).toMatchObject({
    kind: 'credential_refused',
    place: { tenantId: TENANT_ID },
  });
  expect(symptom('zz-other')).toMatchObject({ kind: 'token_low' });
  expect(symptom('zz-other')?.cause).toBeUndefined();
});

test('tokens without a known cause have one line and one command, which renews them or says why not', () => {
  const seen = inspected({ tokens: unrenewed });

  expect(seen.groups).toHaveLength(1);
  expect(seen.groups[0]!.alike).toHaveLength(2);
  expect(seen.groups[0]!.finding.repair.command).toMatch(
    /^latchkey doctor --environment staging .*--tenant /,
  );
  for (const { repair } of seen.findings) expect(repair.fix).toMatchObject({ action: 'refresh_token' });
});

test('a tenant whose tokens are fresh again has no refused credential, although its alarm is still on', () => {
  expect(inspected({ tokens: [token()] }, { alarms: [REFUSED_ALARM] }).findings).toEqual([]);
});

test('a credential that was just replaced is not the one that the alarm is about', () => {
  const seen = (ageMs: number) => {
    const clientCredentials = credential('client-credentials', { promotedAt: at(-ageMs) });
    return treeOf(inspected({ clientCredentials, tokens: [low] }, { alarms: [REFUSED_ALARM] }));
  };

  expect(seen(10 * MINUTE_MS)).toEqual([['token_low', []]]);
  expect(seen(10 * MINUTE_MS + 1)).toEqual([['credential_refused', ['token_low']]]);
});

test('a refused credential is found before its tokens are low: when they are due', () => {
  const kinds = (leftMs: number) =>
    inspected({ tokens: [token(leftMs)] }, { alarms: [REFUSED_ALARM] }).findings.map(({ kind }) => kind);

  expect(kinds(20 * MINUTE_MS - 1)).toEqual(['credential_refused']);
  expect(kinds(20 * MINUTE_MS)).toEqual([]);
});

test('an API key that is refused explains the alarm, which then says nothing about the client credential', () => {
  const apiKey = credential('api-key', { proof: { current: 'refused', isServed: true } });
  const snapshot = snapshotOf({ apiKey, tokens: [token(0)] });
  snapshot.deployment.restoreApi.acceptsApiKeys = true;

  const findings = inspect({ snapshot, nowMs: NOON_MS, alarms: [REFUSED_ALARM] });

  expect(namesOf(findings)).toEqual(['critical token_expired', 'warning credential_refused']);
  expect(alarmsByCause([{ name: REFUSED_ALARM }], findings).caused.get(findings[1]!)).toEqual([
    { name: REFUSED_ALARM },
  ]);
});

test('a text that is no API key explains the alarm as well', () => {
  const apiKey = credential('api-key', {
    proof: { current: 'refused', isServed: true },
    validUntil: undefined,
  });
  const { findings } = inspected({ apiKey });

  expect(alarmsByCause([{ name: REFUSED_ALARM }], findings).caused.get(findings[0]!)).toHaveLength(1);
});

test('the alarm of another tenant says nothing', () => {
  const other = tenantAlarmName('latchkey', { ...PLACE, tenantId: 'other' }, 'credential-refused');

  expect(treeOf(inspected({ tokens: [low] }, { alarms: [other] }))).toEqual([['token_low', []]]);
});

test('an overdue rotation is a symptom of the candidate that waits for it, and makes it no less severe', () => {
  const apiKey = credential('api-key', {
    versions: [
      version('current', ['AWSCURRENT'], 95 * DAY_MS),
      version('new', ['LATCHKEY_CANDIDATE'], DAY_MS),
    ],
    promotedAt: at(-95 * DAY_MS),
    validUntil: at(2 * DAY_MS),
  });

  const seen = inspected({ apiKey });

  expect(treeOf(seen)).toEqual([['candidate_waiting', ['api_key_expiring_in_7_days']]]);
  expect(seen.groups[0]!.severity).toBe('critical');
  expect(symptomLines(seen.groups[0]!)).toEqual(['Also because of it: API key expiring in 7 days.']);
});

test('a tenant without any secret is deployed for the first time', () => {
  const missing = { access: 'missing', secretId: 's' } as const;

  const { groups } = inspected({
    clientCredentials: { kind: 'client-credentials', ...missing },
    apiKey: { kind: 'api-key', ...missing },
    tokens: [{ interface: 'content', scope: 'api/read', ...missing }],
  });

  expect(groups.map(({ finding, alike }) => [finding.repair.command, alike.length])).toEqual([
    ["npx cdk deploy 'latchkey-staging-mea*'", 2],
  ]);
});

test('secrets that one deployment creates are one line', () => {
  const tokens = [low, expired].map((each) => ({ ...each, access: 'missing' as const }));

  const { groups } = inspected({ tokens });

  expect(groups.map(({ finding, alike }) => [finding.kind, alike.length])).toEqual([['secret_missing', 1]]);
});

describe('an alarm', () => {
  const named = (...names: string[]) => names.map((name) => ({ name }));

  test('is a symptom of the finding that explains it, with the composite alarm over it', () => {
    const { findings } = inspected(
      { tokens: unrenewed },
      { schedules: [{ functionName: 'token-sweep', name: 's', state: 'disabled' }] },
    );
    const inAlarm = named(
      alarmOf('token-life'),
      alarmOf('sweep-silent'),
      alarmOf('tokens'),
      alarmOf('throttles'),
    );

    const { caused, others } = alarmsByCause(inAlarm, findings);

    expect([...caused].map(([{ kind }, alarms]) => [kind, alarms.map(({ name }) => name)])).toEqual([
      ['schedule_disabled', [alarmOf('token-life'), alarmOf('tokens'), alarmOf('sweep-silent')]],
    ]);
    expect(others).toMatchObject([{ alarm: { name: alarmOf('throttles') }, composites: [] }]);
  });

  test.each(Object.entries(DEPLOYMENT_ALARM_ROWS))(
    'says when it ends once its fault is over, also if only CloudWatch sees that: %s',
    (id, { ends, isFound = false }) => {
      const restore = { availability: 'offered', reason: 'it answered 200' } as const;
      const snapshot = { ...snapshotOf(), restore };
      const [alarm] = alarmsByCause(named(alarmOf(id as DeploymentAlarm)), [], snapshot).others;

      expect(alarm).toMatchObject({ isOver: isFound });
      expect(alarm!.note).toContain(`alarm ends ${ends}.`);
      expect(alarm!.note.includes('If the fault is over')).toBe(!isFound || id === 'tokens-blocked');
    },
  );

  test('about a tenant is explained by that tenant’s findings only', () => {
    const { findings } = inspected({ tokens: [low] }, { alarms: [REFUSED_ALARM] });
    const other = tenantAlarmName('latchkey', { ...PLACE, tenantId: 'other' }, 'credential-refused');

    const { caused, others } = alarmsByCause(named(REFUSED_ALARM, other), findings);

    expect([...caused.values()]).toEqual([named(REFUSED_ALARM)]);
    expect(others.map(({ alarm }) => alarm.name)).toEqual([other]);
  });

  test('that nothing explains takes the composite alarm over it along, like each other member that is on', () => {
    const members = ['token-life', 'tokens-blocked'].map((id) => alarmOf(id as DeploymentAlarm));
    const { others } = alarmsByCause(named(...members, alarmOf('tokens')), []);

    expect(others).toMatchObject(
      members.map((name) => ({ alarm: { name }, composites: [{ name: alarmOf('tokens') }] })),
    );
  });

  test('over alarms that are no longer on stands alone', () => {
    const { others } = alarmsByCause(named(alarmOf('tokens')), []);

    expect(others).toMatchObject([{ alarm: { name: alarmOf('tokens') }, composites: [] }]);
  });
});
