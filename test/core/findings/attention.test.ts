import { type CredentialSnapshot, type SecretFailure } from '../../../core/deployment/deployment-snapshot';
import { FINDING_KINDS } from '../../../core/findings/finding-kinds';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { isNothingLoaded, wantsAttention } from '../../../core/findings/attention';
import { type Finding } from '../../../core/findings/finding';
import { credential, findingsIn, NOT_LOADED, token } from './snapshots';

const ABOUT_ALL = [
  'api_key_expired',
  'api_key_expiring_in_7_days',
  'api_key_expiring_in_30_days',
  'candidate_refused',
  'candidate_untested',
  'rotation_overdue',
  'rotation_due',
];
const ABOUT_API_KEYS = ['secret_missing', 'secret_scheduled_for_deletion', 'missing_grant'];
const NOTHING = credential('api-key', NOT_LOADED);
const failing = (failure: SecretFailure): CredentialSnapshot => ({
  kind: 'client-credentials',
  secretId: 'arn',
  ...failure,
});

function finding(change: Partial<Finding>): Finding {
  const place = { environment: 'staging', platformRegion: 'mea', tenantId: 'acme' } as const;
  const texts = { message: '', meaning: '', repair: { command: '' } };
  return { kind: 'rotation_due', severity: 'warning', place, ...texts, ...change };
}

test.each(CREDENTIAL_KINDS)('these findings about the %s notify a person', (kind) => {
  const wanted = FINDING_KINDS.filter((each) => wantsAttention(finding({ kind: each, credential: kind })));

  expect(new Set(wanted)).toEqual(new Set([...ABOUT_ALL, ...(kind === 'api-key' ? ABOUT_API_KEYS : [])]));
});

test('an info finding, or one about no credential, notifies nobody', () => {
  const kinds = FINDING_KINDS.filter(
    (kind) =>
      wantsAttention(finding({ kind, credential: 'api-key', severity: 'info' })) ||
      wantsAttention(finding({ kind, severity: 'critical' })) ||
      wantsAttention(finding({ kind, severity: 'critical', token: token() })),
  );

  expect(kinds).toEqual([]);
});

test('an API key that was never loaded notifies nobody', () => {
  expect(findingsIn({ apiKey: NOTHING }).filter(wantsAttention)).toEqual([]);
});

test.each<[string, CredentialSnapshot, boolean]>([
  ['another is empty as well', NOTHING, true],
  ['another does not exist', failing({ access: 'missing' }), true],
  ['another is loaded', credential('api-key'), false],
  ['another may be, for it is scheduled for deletion', failing({ access: 'scheduled_for_deletion' }), false],
  ['another may be, for it was not seen', failing({ access: 'unavailable', reason: 'no time' }), false],
  ['another may be, for nobody may see it', failing({ access: 'denied', action: 'a', resource: 'r' }), false],
])('whether nothing is loaded if one secret is empty, and %s', (_, other, expected) => {
  expect(isNothingLoaded([NOTHING, other])).toBe(expected);
});
