import {
  type CredentialState,
  type KeyProof,
  type SecretFailure,
} from '../../../core/deployment/deployment-snapshot';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { at, credential, DAY_MS, findingsIn, MAX_AGE_DAYS, namesOf, NOT_LOADED, token } from './snapshots';

const dueAgeMs = (MAX_AGE_DAYS - 14) * DAY_MS;
const overdueAgeMs = MAX_AGE_DAYS * DAY_MS;

test.each<[string, number, string[]]>([
  ['a millisecond before its notice', dueAgeMs - 1, []],
  ['14 days before its greatest age', dueAgeMs, ['warning rotation_due']],
  ['a millisecond before its greatest age', overdueAgeMs - 1, ['warning rotation_due']],
  ['at its greatest age', overdueAgeMs, ['warning rotation_overdue']],
])('a credential %s', (_, ageMs, names) => {
  const promoted = { promotedAt: at(-ageMs) };

  expect(namesOf(findingsIn({ clientCredentials: credential('client-credentials', promoted) }))).toEqual(
    names,
  );
  expect(namesOf(findingsIn({ apiKey: credential('api-key', promoted) }))).toEqual(names);
});

test.each<[string, string | undefined, string[]]>([
  ['expires in more than 30 days', at(30 * DAY_MS + 1), []],
  ['expires in 30 days', at(30 * DAY_MS), ['warning api_key_expiring_in_30_days']],
  ['expires in more than 7 days', at(7 * DAY_MS + 1), ['warning api_key_expiring_in_30_days']],
  ['expires in 7 days', at(7 * DAY_MS), ['critical api_key_expiring_in_7_days']],
  ['expires now', at(0), ['critical api_key_expired']],
  ['has no end of its validity', undefined, ['critical api_key_expired']],
])('an API key that %s is said to expire, and not to be old as well', (_, validUntil, names) => {
  const promotedAt = at(names.length === 0 ? 0 : -overdueAgeMs);

  expect(namesOf(findingsIn({ apiKey: credential('api-key', { validUntil, promotedAt }) }))).toEqual(names);
});

describe('an API key that opens no restore API', () => {
  const findings = (
    proof: KeyProof,
    { isUsed = true, ...change }: Partial<CredentialState> & { isUsed?: boolean } = {},
  ) =>
    findingsIn(
      { apiKey: credential('api-key', { proof, ...change }) },
      { restoreApi: { apiKeyGraceSec: 0, acceptsApiKeys: isUsed } },
    );
  const served = { isServed: true };
  const unserved = { isServed: false };

  test.each<[string, KeyProof, string]>([
    ['is refused', { current: 'refused', ...unserved }, 'critical credential_refused'],
    ['is refused, with a proven one', { current: 'refused', ...served }, 'warning credential_refused'],
    ['is unproven', { current: 'unproven', ...unserved }, 'critical credential_unproven'],
    ['is unproven, with a proven one', { current: 'unproven', ...served }, 'warning credential_unproven'],
  ])('because it %s', (_, proof, name) => {
    const [finding, ...others] = findings(proof);

    expect(others).toEqual([]);
    expect(namesOf([finding!])).toEqual([name]);
    expect(finding).toMatchObject({ credential: 'api-key' });
    expect(finding!.meaning).toMatch(proof.isServed ? /opens? the restore API/ : /HTTP Basic are refused/);
    const { command, fix } = finding!.repair;
    expect(command).toContain(proof.current === 'refused' ? 'latchkey api-key put' : 'latchkey doctor --fix');
    expect(fix).toEqual(proof.current === 'refused' ? undefined : { action: 'prove_key' });
  });

  test('is no finding if it is proven, or if keys open nothing', () => {
    expect(findings({ current: 'proven', ...served })).toEqual([]);
    expect(findings({ current: 'unproven', ...unserved }, { isUsed: false })).toEqual([]);
  });

  test('needs nobody in its first ten minutes, unless it is refused', () => {
    const promotedAt = at(-10 * 60_000 + 1);
    const namesWith = (current: KeyProof['current']) =>
      namesOf(findings({ current, ...served }, { promotedAt }));

    expect(namesWith('unproven')).toEqual(['info credential_unproven']);
    expect(namesWith('refused')).toEqual(['warning credential_refused']);
  });

  test.each([
    ['because it is no key', undefined, served, 'still opens'],
    ['because it is no key, without a proven one', undefined, unserved, 'are refused'],
    ['because it expired', at(0), unserved, 'are refused'],
  ])('%s has only a finding about its expiry', (_, validUntil, isServed, meaning) => {
    expect(findings({ current: 'refused', ...isServed }, { validUntil })).toEqual([
      expect.objectContaining({
        kind: 'api_key_expired',
        severity: 'critical',
        meaning: expect.stringContaining(meaning) as string,
      }),
    ]);
  });
});

describe('the rotation schedule of a credential', () => {
  const cron = 'cron(0 8 1 */3 ? *)';
  const findings = (found: string | undefined, rotationSchedule: string) =>
    findingsIn(
      { apiKey: credential('api-key', { rotationSchedule: found }) },
      { credentials: { maxAgeDays: MAX_AGE_DAYS, rotationSchedule } },
    );

  test.each([
    [cron, cron, false],
    ['none', 'none', false],
    [undefined, cron, false],
    ['cron(0 9 * * ? *)', cron, true],
    ['none', cron, true],
    [cron, 'none', true],
  ])('%s, with %s configured, is wrong: %s, and the fix sets that', (found, schedule, isWrong) => {
    const fix = { action: 'set_rotation_schedule', secretId: 'arn:api-key', schedule };
    const finding = { kind: 'rotation_schedule_differs', severity: 'warning', repair: { fix } };

    expect(findings(found, schedule)).toMatchObject(isWrong ? [finding] : []);
  });
});

describe('a credential that was never loaded', () => {
  test.each(CREDENTIAL_KINDS)('is an info finding: %s', (kind) => {
    const part = kind === 'api-key' ? 'apiKey' : 'clientCredentials';

    expect(findingsIn({ [part]: credential(kind, NOT_LOADED) })).toMatchObject([
      { kind: 'never_loaded', severity: 'info', credential: kind },
    ]);
  });

  test('has no findings about tokens, whatever their state', () => {
    const clientCredentials = credential('client-credentials', NOT_LOADED);
    const tokens = [token(-1), { ...token(), token: undefined }, token(50, 'other')];

    expect(namesOf(findingsIn({ clientCredentials, tokens }))).toEqual(['info never_loaded']);
  });
});

test.each<[SecretFailure, string, RegExp]>([
  [
    { access: 'missing' },
    'critical secret_missing',
    /^npx cdk deploy latchkey-staging-mea-[\w-]+ --revert-drift$/,
  ],
  [{ access: 'scheduled_for_deletion' }, 'critical secret_scheduled_for_deletion', /^latchkey doctor --fix /],
  [
    { access: 'denied', action: 'secretsmanager:DescribeSecret', resource: 'arn:r' },
    'critical missing_grant',
    /^npx cdk deploy latchkey-staging-mea --revert-drift$/,
  ],
  [{ access: 'unavailable', reason: 'no answer in time' }, 'warning not_inspected', /^latchkey status /],
])('a secret that could not be inspected: %j', (failure, name, command) => {
  const parts: Parameters<typeof findingsIn>[0][] = [
    { clientCredentials: { kind: 'client-credentials', secretId: 'arn:x', ...failure } },
    { apiKey: { kind: 'api-key', secretId: 'arn:x', ...failure } },
    { tokens: [{ interface: 'content', scope: 'api/read', secretId: 'arn:x', ...failure }] },
  ];
  for (const part of parts) {
    const findings = findingsIn(part);

    expect(namesOf(findings)).toEqual([name]);
    expect(findings[0]!.repair.command).toMatch(command);
    const named = failure.access === 'denied' ? `${failure.action} on ${failure.resource}` : 'arn:x';
    expect(findings[0]!.message).toContain(named);
  }
});

test.each([undefined, 'no time'])('nothing is said of an age that is not known: %j', (promotedAt) => {
  expect(findingsIn({ apiKey: credential('api-key', { promotedAt }) })).toEqual([]);
});
