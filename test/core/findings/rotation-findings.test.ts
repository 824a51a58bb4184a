import { CANDIDATE_LABEL as CANDIDATE } from '../../../core/secrets/credential-labels';
import { type SnapshotVersion } from '../../../core/deployment/deployment-snapshot';
import { ROTATION_MAY_RUN_SEC } from '../../../core/rotation/rotation';
import { type Finding } from '../../../core/findings/finding';
import { credential, DAY_MS, findingsIn, namesOf, version } from './snapshots';

const RUN_MS = ROTATION_MAY_RUN_SEC * 1000;
const CURRENT = version('current', ['AWSCURRENT'], DAY_MS);
const PREVIOUS = version('previous', ['AWSPREVIOUS'], 2 * DAY_MS);

const found = (...versions: SnapshotVersion[]): Finding[] =>
  findingsIn({ clientCredentials: credential('client-credentials', { versions }), tokens: [] });

const ROTATE = { action: 'rotate', credential: 'client-credentials' };
const PENDING = (...labels: string[]) => version('pending', ['AWSPENDING', ...labels], 10);
const OLDER_CANDIDATE = version('c', [CANDIDATE], 11);

test.each<[string, SnapshotVersion[], string[], object?]>([
  ['that a command may be at work on', [CURRENT, version('c', [CANDIDATE], RUN_MS)], []],
  ['that waits', [CURRENT, version('c', [CANDIDATE], RUN_MS + 1)], ['warning candidate_waiting'], ROTATE],
  ['as old as the current one', [CURRENT, version('c', [CANDIDATE], DAY_MS)], ['warning candidate_waiting']],
  ['of an age that is not known', [CURRENT, version('c', [CANDIDATE], undefined)], []],
  [
    'that is older than the current one, which was copied from it',
    [CURRENT, version('c', [CANDIDATE], DAY_MS + 1)],
    ['warning candidate_left_behind'],
  ],
  ['that is current', [version('c', ['AWSCURRENT', CANDIDATE], 0)], ['warning candidate_left_behind']],
  [
    'that is the previous one: a rollback that did not happen',
    [CURRENT, version('p', ['AWSPREVIOUS', CANDIDATE], 2)],
    ['warning candidate_left_behind'],
    removing(['p', CANDIDATE]),
  ],
  [
    'beside AWSPENDING on the current version, which is how AWS leaves it',
    [
      version('current', ['AWSCURRENT', 'AWSPENDING', 'LATCHKEY_PROVEN'], DAY_MS),
      version('c', [CANDIDATE], RUN_MS + 1),
    ],
    ['warning candidate_waiting'],
  ],
])('a candidate %s', (_, versions, names, fix = expect.anything() as unknown) => {
  const findings = found(...versions);

  expect(namesOf(findings)).toEqual(names);
  expect(findings.map(({ repair }) => repair.fix)).toEqual(names.map(() => fix));
});

describe('a pending version', () => {
  test.each<[string, string[], number | undefined, string[]]>([
    ['of a run that may be going on', ['AWSPENDING'], RUN_MS, []],
    ['that was just proven', ['AWSPENDING', 'LATCHKEY_PROVEN'], RUN_MS, []],
    ['of an age that is not known', ['AWSPENDING'], undefined, []],
    ['that is older than any run', ['AWSPENDING'], RUN_MS + 1, ['warning pending_left_behind']],
    ['that was proven', ['AWSPENDING', 'LATCHKEY_PROVEN'], RUN_MS + 1, ['warning pending_left_behind']],
    ['that was refused just now', ['AWSPENDING', 'LATCHKEY_REFUSED'], 0, ['warning candidate_refused']],
    ['that was just not tested', ['AWSPENDING', 'LATCHKEY_UNTESTED'], 0, ['warning candidate_untested']],
  ])('%s', (_, labels, ageMs, names) => {
    const pending = version('pending', labels, ageMs);
    const candidate = version('c', [CANDIDATE], ageMs === undefined ? RUN_MS + 2 : ageMs + 1);

    expect(namesOf(found(CURRENT, PREVIOUS, pending))).toEqual(names);
    // The pending version comes first, because it blocks every rotation.
    expect(namesOf(found(CURRENT, PREVIOUS, pending, candidate))).toEqual(names);
  });

  test.each<[string, SnapshotVersion[], object]>([
    [
      'that was refused is cleared with the candidate that it copies',
      [PENDING('LATCHKEY_REFUSED'), OLDER_CANDIDATE],
      removing(['c', CANDIDATE], ['pending', 'AWSPENDING', 'LATCHKEY_REFUSED']),
    ],
    [
      'that was refused leaves a newer candidate',
      [PENDING('LATCHKEY_REFUSED'), version('c', [CANDIDATE], 9)],
      removing(['pending', 'AWSPENDING', 'LATCHKEY_REFUSED']),
    ],
    ['that was not tested is rotated to again', [PENDING('LATCHKEY_UNTESTED'), OLDER_CANDIDATE], ROTATE],
    [
      'that was not tested is cleared if nothing is staged',
      [PENDING('LATCHKEY_UNTESTED')],
      removing(['pending', 'AWSPENDING', 'LATCHKEY_UNTESTED']),
    ],
    [
      'that was proven counts as proven, even with the label of an earlier test',
      [version('pending', ['AWSPENDING', 'LATCHKEY_REFUSED', 'LATCHKEY_PROVEN'], RUN_MS + 1)],
      removing(['pending', 'AWSPENDING', 'LATCHKEY_PROVEN', 'LATCHKEY_REFUSED']),
    ],
  ])('%s', (_, versions, fix) => {
    expect(found(CURRENT, ...versions)[0]!.repair.fix).toEqual(fix);
  });

  test('that lacks scopes names them, and is cleared with their labels', () => {
    const lacks = ['LATCHKEY_LACKS_content/api-write', 'LATCHKEY_LACKS_webhooks/api-webhooks'];

    expect(found(CURRENT, PENDING('LATCHKEY_REFUSED', ...lacks))).toMatchObject([
      {
        kind: 'candidate_refused',
        message:
          'The new client credential lacks content api/write and webhooks api/webhooks, so it was not promoted.',
        repair: {
          remedy: expect.stringContaining('with content api/write and webhooks api/webhooks:') as string,
          fix: removing(['pending', 'AWSPENDING', 'LATCHKEY_REFUSED', ...lacks]),
        },
      },
    ]);
  });

  test('that was current until somebody wrote another value by hand is not said to be untested', () => {
    const [finding] = found(CURRENT, version('p', ['AWSPENDING', 'AWSPREVIOUS'], 2 * DAY_MS));

    expect(finding!.kind).toBe('pending_left_behind');
    expect(finding!.message).toContain('was current until another value was written without a rotation');
  });

  test('before a first load is a finding only if something is staged, because the schedule fires anyway', () => {
    const pending = version('pending', ['AWSPENDING'], RUN_MS + 1);
    const unloaded = (...versions: (typeof pending)[]) =>
      namesOf(findingsIn({ apiKey: credential('api-key', { versions, promotedAt: undefined }) }));

    expect(unloaded(pending)).toEqual(['info never_loaded']);
    expect(unloaded(pending, version('c', [CANDIDATE], 9))).toEqual([
      'warning pending_left_behind',
      'info never_loaded',
    ]);
  });
});

test.each([
  ['LATCHKEY_REFUSED', 'warning candidate_refused', removing(['c', CANDIDATE], ['run', 'LATCHKEY_REFUSED'])],
  ['LATCHKEY_UNTESTED', 'warning candidate_untested', ROTATE],
])(
  'a failed rotation with %s that is no longer pending is a finding about the candidate that it copied, and about no other',
  (label, name, fix) => {
    const run = version('run', [label], 10);

    const findings = found(CURRENT, run, OLDER_CANDIDATE);

    expect(namesOf(findings)).toEqual([name]);
    expect(findings[0]!.repair.fix).toEqual(fix);
    expect(found(CURRENT, run, version('c', [CANDIDATE], 9))).toEqual([]);
    expect(found(CURRENT, run)).toEqual([]);
  },
);

function removing(...versions: [versionId: string, ...labels: string[]][]): object {
  return {
    action: 'remove_labels',
    secretId: 'arn:client-credentials',
    versions: versions.map(([versionId, ...labels]) => ({ versionId, labels })),
  };
}
