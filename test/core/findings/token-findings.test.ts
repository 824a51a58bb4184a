import { type TokenSnapshot } from '../../../core/deployment/deployment-snapshot';
import { inspect } from '../../../core/findings/inspect';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import {
  at,
  credential,
  DAY_MS,
  findingsIn,
  MINUTE_MS,
  namesOf,
  snapshotOf,
  token,
  version,
} from './snapshots';

const noToken: TokenSnapshot = { ...token(), token: undefined };
const ofRetired = token(60 * MINUTE_MS, 'retired');

test.each<[string, number, string[]]>([
  ['10 minutes to live, as promised', 10 * MINUTE_MS, []],
  ['less', 10 * MINUTE_MS - 1, ['warning token_low']],
  ['5 minutes', 5 * MINUTE_MS, ['warning token_low']],
  ['less than 5 minutes', 5 * MINUTE_MS - 1, ['critical token_low']],
  ['a millisecond', 1, ['critical token_low']],
  ['no life left', 0, ['critical token_expired']],
])('a token that has %s', (_, lifeLeftMs, names) => {
  expect(namesOf(findingsIn({ tokens: [token(lifeLeftMs)] }))).toEqual(names);
});

test.each<[string, TokenSnapshot, number, string[]]>([
  ['missing two sweeps after its credential was loaded', noToken, 10 * MINUTE_MS, []],
  ['missing later', noToken, 10 * MINUTE_MS + 1, ['critical token_missing']],
  ['of the retired credential two sweeps after the rotation', ofRetired, 10 * MINUTE_MS, []],
  ['of the retired credential later', ofRetired, 10 * MINUTE_MS + 1, ['warning token_of_retired_credential']],
])('a token that is %s', (_, each, ageMs, names) => {
  const clientCredentials = credential('client-credentials', { promotedAt: at(-ageMs) });

  expect(namesOf(findingsIn({ clientCredentials, tokens: [each] }))).toEqual(names);
});

test('a token has only its most severe finding', () => {
  expect(namesOf(findingsIn({ tokens: [token(MINUTE_MS, 'retired')] }))).toEqual(['critical token_low']);
});

test('no token is missing or retired if the credential could not be inspected', () => {
  const unread = { secretId: 'arn:x', access: 'unavailable', reason: 'no answer in time' } as const;

  const findings = findingsIn({
    clientCredentials: { kind: 'client-credentials', ...unread },
    tokens: [noToken, ofRetired],
  });

  expect(namesOf(findings)).toEqual(['warning not_inspected']);
});

test.each([
  ['with 2 minutes left', 3, 2, /expires in .*: the issuer issues it for too short a time/],
  ['just issued', 30, 30, /^The issuer issues the token content api\/read for less than 35 minutes\.$/],
])(
  'a token of a short life points to the issuer’s support, not to a renewal: %s',
  (_, lifeMin, leftMin, says) => {
    const low = token(leftMin * MINUTE_MS);
    const issuedAt = at((leftMin - lifeMin) * MINUTE_MS);

    expect(findingsIn({ tokens: [{ ...low, token: { ...low.token!, issuedAt } }] })).toEqual([
      expect.objectContaining({
        kind: 'token_low',
        message: expect.stringMatching(says) as string,
        repair: { remedy: expect.stringContaining('support') as string },
      }),
    ]);
  },
);

describe('tokens that the platform refused', () => {
  /** The findings about a token issued at noon. Each refused one was issued so many minutes before the one after it. */
  const afterRefusals = (...apartMin: number[]) => {
    const last = token(60 * MINUTE_MS);
    const expiries = apartMin.map((_, index) => {
      const sinceMin = apartMin.slice(0, index + 1).reduce((sum, each) => sum + each, 0);
      return at((60 - sinceMin) * MINUTE_MS);
    });
    return findingsIn({ tokens: [{ ...last, token: { ...last.token!, refusedExpiresAt: expiries } }] });
  };

  test.each([
    ['at once', [0, 0]],
    ['within 10 minutes', [9.9, 9.9]],
    ['within minutes, before it accepted one until it was due', [40, 9, 9]],
    ['within minutes, after it had accepted one for longer', [3, 3, 30]],
  ])('two in a row %s have another user of the credential looked for', (_, apartMin) => {
    const [finding, ...others] = afterRefusals(...apartMin);

    expect(others).toEqual([]);
    expect(finding).toMatchObject({ kind: 'token_refused_early', severity: 'warning' });
    expect(finding!.repair).toEqual({
      remedy: expect.stringMatching(
        / https:.*\/docs\/runbook\/alarms\.md#too-many-token-requests,/,
      ) as string,
    });
  });

  test.each([
    ['only one', [9]],
    ['only one in a row', [9, 14, 9]],
    ['those that a sweep renewed of the shortest life', [14, 14, 14, 14]],
    ['one of which lived for longer than the next', [-20, -20]],
  ])('%s: nothing is found', (_, apartMin) => {
    expect(afterRefusals(...apartMin)).toEqual([]);
  });
});

test('early refusals a day ago do not hide that the token is of a retired credential, which a sweep replaces', () => {
  const refusedExpiresAt = [at(55 * MINUTE_MS), at(50 * MINUTE_MS)];
  const findings = findingsIn({
    tokens: [{ ...ofRetired, token: { ...ofRetired.token!, refusedExpiresAt } }],
  });

  expect(namesOf(findings)).toEqual(['warning token_of_retired_credential']);
  expect(findings[0]!.repair.fix).toEqual({ action: 'sweep' });
});

test('the findings say why a token was not renewed, and for which tenants', () => {
  const renewalError = { code: 'platform_unavailable', message: 'status 503' } as const;
  const snapshot = snapshotOf({ tokens: [{ ...token(0), renewalError }] });
  const [failing] = snapshot.tenants as [(typeof snapshot.tenants)[0]];
  const other = { ...snapshotOf().tenants[0]!, tenantId: 'tenant-2' };
  const messagesOf = (tenants: (typeof other)[]) =>
    inspect({ snapshot: { ...snapshot, tenants }, nowMs: NOON_MS }).map(({ message }) => message);

  const gaveNone = 'When last asked, the issuer gave no usable token';
  expect(messagesOf([failing, other])).toEqual([
    `${gaveNone} for ${failing.tenantId}: platform_unavailable, status 503.`,
    `The token content api/read expired at ${at(0)}: platform_unavailable, status 503.`,
  ]);
  expect(messagesOf([failing, { ...failing, tenantId: 'tenant-2' }])[0]).toBe(
    `${gaveNone}: platform_unavailable, status 503.`,
  );
});

describe('a credential that the platform refuses', () => {
  const refused = (code: 'credential_refused' | 'scope_refused') => ({ code, message: 'invalid_client' });

  const pasted = (...former: string[][]) =>
    credential('client-credentials', {
      promotedAt: at(-MINUTE_MS),
      versions: [
        version('current', ['AWSCURRENT'], MINUTE_MS),
        ...former.map((labels, index) => version(`former-${index}`, labels, DAY_MS)),
      ],
    });

  test('is one critical finding, even if a former one obtained a token, and the cause of those of its tokens', () => {
    const tokens: TokenSnapshot[] = [
      { ...token(0), renewalError: refused('credential_refused') },
      { ...noToken, interface: 'content', scope: 'api/write', renewalError: refused('scope_refused') },
      { ...token(MINUTE_MS, 'former-0'), scope: 'api/all' },
    ];
    const clientCredentials = { ...pasted(['AWSPREVIOUS']), promotedAt: at(-DAY_MS) };

    const findings = findingsIn({ clientCredentials, tokens });

    expect(namesOf(findings)).toEqual([
      'critical credential_refused',
      'critical token_expired',
      'critical token_low',
      'critical token_missing',
    ]);
    for (const { cause } of findings.slice(1)) expect(cause).toMatchObject({ kind: 'credential_refused' });
    expect(findings[0]).toMatchObject({
      credential: 'client-credentials',
      message:
        'When last asked, the issuer refused the client credential for content api/read (credential_refused), ' +
        'content api/write (scope_refused).',
    });
    expect(findings[0]!.repair.remedy).toContain('or the missing scope');
    expect(findingsIn({ tokens: tokens.slice(0, 1) })[0]!.repair.remedy).not.toContain('scope');
    expect(findings[0]).not.toHaveProperty('token');
    expect(findings[2]!.token).toEqual({ interface: 'content', scope: 'api/all' });
  });

  const renewedBy = (credentialVersionId: string, refusedCredentialVersionId = 'current') => {
    const ofFormer = token(50 * MINUTE_MS, credentialVersionId);
    return { ...ofFormer, token: { ...ofFormer.token!, refusedCredentialVersionId } };
  };

  test.each([
    ['that is the previous one', 'former-0'],
    ['that a second one pushed out', 'former-of-no-label'],
  ])('is found at once from a token of a former one %s, which still serves', (_, former) => {
    const findings = findingsIn({ clientCredentials: pasted(['AWSPREVIOUS']), tokens: [renewedBy(former)] });

    expect(namesOf(findings)).toEqual(['warning credential_refused']);
    expect(findings[0]).toMatchObject({
      meaning: expect.stringContaining('former client credential still renews') as string,
      repair: { command: expect.stringMatching(/^latchkey credentials put /) as string },
    });
  });

  test('is not found from a token that was renewed without an earlier one', () => {
    const tokens = [renewedBy('former-0', 'pasted before')];

    expect(findingsIn({ clientCredentials: pasted(['AWSPREVIOUS']), tokens })).toEqual([]);
  });
});
