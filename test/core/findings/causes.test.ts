import { DEPLOYMENT_ALARM_ROWS, type DeploymentAlarm } from '../../../core/alarms/alarm-rows';
import { deploymentAlarmName, tenantAlarmName } from '../../../core/alarms/alarms';
import { type DeploymentSnapshot, type TokenSnapshot } from '../../../core/deployment/deployment-snapshot';
import { type EnsureErrorCode } from '../../../core/tokens/token-refresh';
import { alarmsByCause } from '../../../core/findings/alarm-causes';
import { foldTenants, groupByCause, symptomLines } from '../../../core/findings/causes';
import { inspect, type InspectInput } from '../../../core/findings/inspect';
import { TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { at, credential, DAY_MS, MINUTE_MS, namesOf, snapshotOf, token, version } from './snapshots';

const PLACE = { environment: 'staging', platformRegion: 'mea' } as const;
const refusedAlarmOf = (tenantId: string) =>
  tenantAlarmName('latchkey', { ...PLACE, tenantId }, 'credential-refused');
const REFUSED_ALARM = refusedAlarmOf(TENANT_ID);
const alarmOf = (id: Parameters<typeof deploymentAlarmName>[2]) => deploymentAlarmName('latchkey', PLACE, id);

const low: TokenSnapshot = token(4 * MINUTE_MS);
const expired: TokenSnapshot = { ...token(-MINUTE_MS), interface: 'content', scope: 'api/write' };
const missing: TokenSnapshot = { ...token(), interface: 'content', scope: 'api/all', token: undefined };
const unrenewed = [low, expired, missing];
const without = (access: 'denied' | 'unavailable') => ({ ...token(), access }) as TokenSnapshot;
const ABSENT = { availability: 'absent', reason: 'it answered 404' } as const;

/** Tokens whose renewal fails with this code. */
function failing(code: EnsureErrorCode, tokens = unrenewed): TokenSnapshot[] {
  return tokens.map((each) => ({ ...each, renewalError: { code, message: 'why' } }) as TokenSnapshot);
}

type Parts = Parameters<typeof snapshotOf>[0];

function inspected(parts: Parts, more: Partial<InspectInput> = {}) {
  const findings = inspect({ snapshot: snapshotOf(parts), nowMs: NOON_MS, ...more });
  return { findings, groups: groupByCause(findings) };
}

/** Each group as its finding's kind with its symptoms' kinds. */
function treeOf({ groups }: ReturnType<typeof inspected>) {
  return groups.map(
    ({ finding, symptoms }) => `${finding.kind}: ${symptoms.map(({ kind }) => kind).join(' ')}`,
  );
}

const disabled = (functionName: 'token-sweep' | 'credential-watch') => ({
  schedules: [{ functionName, name: functionName, state: 'disabled' as const }],
});
const refusedBy = (tenantId: string) => ({ alarms: [refusedAlarmOf(tenantId)] });
const lost = (access: 'missing' | 'scheduled_for_deletion') => ({
  clientCredentials: { kind: 'client-credentials', secretId: 'arn:c', access } as const,
  tokens: unrenewed.slice(0, 2),
});
const EACH = 'token_expired token_low token_missing';

describe('tokens that are not renewed', () => {
  test('are symptoms of a refused credential, whose repair is theirs', () => {
    const { groups } = inspected({ tokens: unrenewed }, { alarms: [REFUSED_ALARM] });

    const [{ finding, symptoms }] = groups as [(typeof groups)[0]];
    expect(finding.repair.command).toMatch(/^latchkey credentials put /);
    expect(finding.repair.remedy).toContain('support');
    for (const { cause, repair } of symptoms) {
      expect(cause).toMatchObject({ kind: 'credential_refused', credential: 'client-credentials' });
      expect(repair).toEqual({ command: finding.repair.command, remedy: finding.repair.remedy });
    }
    expect(symptomLines(groups[0]!)).toEqual(['3 tokens affected: 1 expired, 1 expiring soon, 1 missing.']);
  });

  test.each<[string, Parts, string[], Partial<InspectInput>?]>([
    ['a refused credential', { tokens: unrenewed }, [`credential_refused: ${EACH}`], refusedBy(TENANT_ID)],
    ['a refused renewal', { tokens: failing('credential_refused') }, [`credential_refused: ${EACH}`]],
    ['a refused scope', { tokens: failing('scope_refused') }, [`credential_refused: ${EACH}`]],
    ['an empty secret', { tokens: failing('not_loaded') }, [`credential_refused: ${EACH}`]],
    ['a platform outage', { tokens: failing('platform_unavailable') }, [`platform_unavailable: ${EACH}`]],
    ['a store that is down', { tokens: failing('store_unavailable') }, [`renewal_failed: ${EACH}`]],
    ['a missing secret', lost('missing'), ['secret_missing: token_expired token_low']],
    [
      'a deletion',
      lost('scheduled_for_deletion'),
      ['secret_scheduled_for_deletion: token_expired token_low'],
    ],
    ['no sweep', { tokens: unrenewed }, [`schedule_disabled: ${EACH}`], disabled('token-sweep')],
    [
      'nothing, if only credential-watch does not run',
      { tokens: unrenewed },
      ['schedule_disabled: ', 'token_expired: '],
      disabled('credential-watch'),
    ],
    [
      'what their own renewal says, if two reasons are known',
      { tokens: [...failing('scope_refused', [low]), ...failing('platform_unavailable', [expired])] },
      ['platform_unavailable: token_expired', 'credential_refused: token_low'],
    ],
    ['nothing, if only another tenant has an alarm', { tokens: [low] }, ['token_low: '], refusedBy('other')],
  ])('are symptoms of %s', (_, parts, tree, more = {}) => {
    expect(treeOf(inspected(parts, more))).toEqual(tree);
  });

  test.each<[EnsureErrorCode, RegExp]>([
    ['platform_unavailable', /^Wait: /],
    ['bad_platform_answer', /^Waiting helps only if /],
    ['store_unavailable', /#tokens-cannot-be-renewed/],
    ['write_budget_spent', /#too-many-token-requests/],
    ['unknown_token_key', /^npx cdk deploy 'latchkey-staging-mea\*'$/],
    ['invalid_request', /^npx cdk deploy/],
  ])('have the repair of what fails: %s', (code, says) => {
    const [finding] = inspected({ tokens: failing(code, [low]) }).findings;

    expect(finding!.place).toEqual(PLACE);
    expect(finding!.repair.command ?? finding!.repair.remedy).toMatch(says);
  });

  test('without a known cause have one line and one command, which renews them or says why not', () => {
    const { findings, groups } = inspected({ tokens: unrenewed });

    expect(groups).toMatchObject([{ alike: [{}, {}] }]);
    expect(groups[0]!.finding.repair.command).toMatch(/^latchkey doctor --environment staging .*--tenant /);
    for (const { repair } of findings) expect(repair.fix).toMatchObject({ action: 'refresh_token' });
  });
});

describe('the alarm for a refused credential', () => {
  test.each([
    ['says nothing of one that was just replaced', 4, 10 * MINUTE_MS, ['token_low']],
    ['says that later', 4, 10 * MINUTE_MS + 1, ['credential_refused', 'token_low']],
    ['says it before tokens are low: when they are due', 20 - 1e-9, DAY_MS, ['credential_refused']],
    ['says nothing if the tokens are fresh again', 20, DAY_MS, []],
  ])('%s', (_, lifeLeftMin, ageMs, kinds) => {
    const clientCredentials = credential('client-credentials', { promotedAt: at(-ageMs) });
    const tokens = [token(Math.floor(lifeLeftMin * MINUTE_MS))];

    const { findings } = inspected({ clientCredentials, tokens }, { alarms: [REFUSED_ALARM] });

    expect(findings.map(({ kind }) => kind)).toEqual(kinds);
  });

  test('says nothing of the client credential if a refused API key explains it', () => {
    const apiKey = credential('api-key', { proof: { current: 'refused', isServed: true } });
    const snapshot = snapshotOf({ apiKey, tokens: [token(0)] });
    snapshot.deployment.restoreApi.acceptsApiKeys = true;

    const findings = inspect({ snapshot, nowMs: NOON_MS, alarms: [REFUSED_ALARM] });

    expect(namesOf(findings)).toEqual(['critical token_expired', 'warning credential_refused']);
    const { caused } = alarmsByCause([{ name: REFUSED_ALARM }], findings);
    expect(caused.get(findings[1]!)).toEqual([{ name: REFUSED_ALARM }]);
  });
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

  expect(treeOf(seen)).toEqual(['candidate_waiting: api_key_expiring_in_7_days']);
  expect(seen.groups[0]!.severity).toBe('critical');
  expect(symptomLines(seen.groups[0]!)).toEqual(['Also because of it: API key expiring in 7 days.']);
});

test('a tenant without any secret is deployed for the first time, and lost secrets are one line', () => {
  const none = { access: 'missing', secretId: 's' } as const;
  const [ofNew, ofLost] = [
    {
      clientCredentials: { kind: 'client-credentials', ...none } as const,
      apiKey: { kind: 'api-key', ...none } as const,
      tokens: [{ interface: 'content', scope: 'api/read', ...none }],
    },
    { tokens: [low, expired].map((each) => ({ ...each, access: 'missing' as const })) },
  ].map((parts) => inspected(parts).groups);

  expect(ofNew).toMatchObject([
    { finding: { repair: { command: "npx cdk deploy 'latchkey-staging-mea*'" } }, alike: [{}, {}] },
  ]);
  expect(ofLost).toMatchObject([{ finding: { kind: 'secret_missing' }, alike: [{}] }]);
});

test('a cause that three tenants have is one, with a command for all of them or else for the first', () => {
  const foldedOf = (count: number, parts: Parts, chosen?: string[]) => {
    const snapshot = snapshotOf(parts);
    snapshot.tenants = Array.from({ length: count }, (_, n) => ({
      ...snapshot.tenants[0]!,
      tenantId: `t${n}`,
    }));
    return foldTenants(groupByCause(inspect({ snapshot, nowMs: NOON_MS })), chosen).map(
      ({ tenantIds, isFixedOneByOne, repair }) => [tenantIds.join(' '), isFixedOneByOne, repair.command],
    );
  };
  const place = '--environment staging --platform-region mea';
  const old = { apiKey: credential('api-key', { promotedAt: at(-95 * DAY_MS) }) };

  expect(foldedOf(2, { tokens: [low] })).toEqual([
    ['t0', false, `latchkey doctor ${place} --tenant t0`],
    ['t1', false, `latchkey doctor ${place} --tenant t1`],
  ]);
  expect(foldedOf(3, { tokens: [low] })).toEqual([['t0 t1 t2', false, `latchkey doctor ${place}`]]);
  expect(foldedOf(3, { tokens: [low] }, ['t*'])).toEqual([
    ['t0 t1 t2', false, `latchkey doctor ${place} --tenant 't*'`],
  ]);
  expect(foldedOf(3, old)).toEqual([['t0 t1 t2', true, `latchkey api-key put ${place} --tenant t0`]]);
});

describe('an alarm', () => {
  const named = (...names: string[]) => names.map((name) => ({ name }));

  test('is a symptom of the finding that explains it, with the composite alarm over it', () => {
    const { findings } = inspected({ tokens: unrenewed }, disabled('token-sweep'));
    const ids = ['token-life', 'sweep-silent', 'tokens', 'throttles'] as const;

    const { caused, others } = alarmsByCause(named(...ids.map(alarmOf)), findings);

    expect([...caused].map(([{ kind }, alarms]) => [kind, alarms])).toEqual([
      ['schedule_disabled', named(alarmOf('token-life'), alarmOf('tokens'), alarmOf('sweep-silent'))],
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

  test.each<[boolean, string, DeploymentAlarm, DeploymentSnapshot]>([
    [false, 'while a token is due', 'tokens-blocked', snapshotOf({ tokens: [token(), low] })],
    [true, 'while a token is due, which may be renewed', 'credential-refused', snapshotOf({ tokens: [low] })],
    [false, 'if a token may not be read', 'credential-refused', snapshotOf({ tokens: [without('denied')] })],
    [
      false,
      'if AWS does not answer',
      'credential-refused',
      snapshotOf({ tokens: [low, without('unavailable')] }),
    ],
    [false, 'if nobody asked the platform', 'restore-availability', snapshotOf()],
    [true, 'without restores', 'restore-availability', { ...snapshotOf(), restore: ABSENT }],
  ])('is over: %s, %s: %s', (isOver, _, id, snapshot) => {
    expect(alarmsByCause(named(alarmOf(id)), [], snapshot).others).toMatchObject([{ isOver }]);
  });

  test('is over, as to some tenants alone, only if it is about none', () => {
    const alarms = named(alarmOf('credential-refused'), REFUSED_ALARM, alarmOf('restore-availability'));
    const { others } = alarmsByCause(alarms, [], { ...snapshotOf(), restore: ABSENT }, true);

    expect(others.map(({ isOver }) => isOver)).toEqual([false, true, true]);
    expect(others.slice(0, 2).map(({ note }) => note)).toEqual([
      'No fault of the chosen tenants explains it now.',
      'The fault is over. The alarm ends by itself within 11 minutes.',
    ]);
  });

  test('that began before the fault is not explained by it', () => {
    const { findings } = inspected({ tokens: unrenewed }, refusedBy(TENANT_ID));
    const [finding] = findings.filter(({ kind }) => kind === 'credential_refused');
    const causesOf = (since: string | undefined, faultSince: string | undefined) =>
      alarmsByCause([{ name: REFUSED_ALARM, since }], [{ ...finding!, since: faultSince }], snapshotOf());

    expect(causesOf(at(0), at(1)).others[0]!.note).toMatch(
      /^The fault that began it is over, but a newer one/,
    );
    for (const [since, faultSince] of [
      [at(1), at(1)],
      [undefined, at(1)],
      [at(1), undefined],
    ])
      expect(causesOf(since, faultSince).others).toEqual([]);
  });

  test('about a tenant is explained by that tenant’s findings only', () => {
    const { findings } = inspected({ tokens: [low] }, { alarms: [REFUSED_ALARM] });

    const { caused, others } = alarmsByCause(named(REFUSED_ALARM, refusedAlarmOf('other')), findings);

    expect([...caused.values()]).toEqual([named(REFUSED_ALARM)]);
    expect(others).toMatchObject([{ alarm: { name: refusedAlarmOf('other') } }]);
  });

  test('that nothing explains takes the composite alarm over it along, like each other member that is on', () => {
    const members = (['token-life', 'tokens-blocked'] as const).map(alarmOf);
    const composite = { name: alarmOf('tokens') };
    const notesOf = (alarms: string[]) => alarmsByCause(named(...alarms), []).others;

    expect(notesOf([...members, composite.name])).toMatchObject(
      members.map((name) => ({ alarm: { name }, composites: [composite] })),
    );
    expect(notesOf([composite.name])).toMatchObject([{ alarm: composite, composites: [] }]);
  });
});
