import { DEFAULT_SEED, parseSeed } from '../../src/sandbox/seed';
import { seededReferences } from '../../src/sandbox/seeded-ids';
import { InvalidInputError } from '../../src/sandbox/validation';

const deploymentKey = (environment: string, platformRegion: string, ...tenantIds: string[]) => ({
  environment,
  platformRegion,
  tenants: tenantIds.map((tenantId) => ({ tenantId })),
});

function issuesOf(seed: unknown): readonly string[] {
  try {
    parseSeed(seed);
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues;
  }
  return [];
}

test('a seed without options has restore available and the acting user in the body', () => {
  const seed = parseSeed({ deployments: [deploymentKey('staging', 'mea', 't-1')] });

  expect(seed).toMatchObject({ restoreAvailable: true, actingUserIn: 'body', keyLagSec: 0, processing: {} });
});

test('the default seed has all four deployments', () => {
  const { deployments } = parseSeed(DEFAULT_SEED);

  expect(deployments.map(({ environment, platformRegion }) => `${environment}/${platformRegion}`)).toEqual([
    'staging/global',
    'staging/mea',
    'production/global',
    'production/mea',
  ]);
});

test('all faults of a seed are reported at once, each by its path with the value found', () => {
  const issues = issuesOf({
    deployments: [deploymentKey('live', 'mea', 't-1'), deploymentKey('staging', 'emea', 'no spaces')],
    actingUserIn: 'query',
  });

  expect(issues).toEqual([
    expect.stringMatching(/^deployments\[0\]\.environment: found "live"; allowed: .*staging, production/),
    expect.stringMatching(/^deployments\[1\]\.platformRegion: found "emea"; allowed: .*global, mea/),
    expect.stringMatching(/^deployments\[1\]\.tenants\[0\]\.tenantId: found "no spaces"; /),
    expect.stringMatching(/^actingUserIn: found "query"; allowed: .*body, header/),
  ]);
});

test('Authentication, HTTP Basic: a tenant identifier differs between live and staging', () => {
  const issues = issuesOf({
    deployments: [deploymentKey('staging', 'mea', 't-1'), deploymentKey('production', 'mea', 't-1')],
  });

  expect(issues).toEqual([
    'deployments[1].tenants[0].tenantId: found "t-1"; allowed: a tenant identifier that is not in use',
  ]);
});

test('a deployment listed twice is refused', () => {
  const issues = issuesOf({
    deployments: [deploymentKey('staging', 'mea', 't-1'), deploymentKey('staging', 'mea', 't-2')],
  });

  expect(issues).toEqual([
    expect.stringMatching(/^deployments\[1\]: .*a deployment that is not listed yet$/),
  ]);
});

const ID = '0123456789abcdef01234567';
const seedOf = (...tenants: object[]) => ({
  deployments: [{ environment: 'staging', platformRegion: 'mea', tenants }],
});
const withContents = (...contents: object[]) => seedOf({ tenantId: 't-1', authorRefs: ['ada'], contents });

describe('a content', () => {
  test('is archived by default, and its items are ok', () => {
    const { deployments } = parseSeed(withContents({ items: [{}] }));

    expect(deployments[0]?.tenants[0]?.contents).toEqual([{ status: 'archived', items: [{ status: 'ok' }] }]);
  });

  test.each([
    ['draft', []],
    ['draft', [{}, { status: 'pending' }]],
    ['ready', [{}]],
    ['published', []],
    ['archived', [{ status: 'error', failureReason: 'no sound' }]],
  ])('can be %s with the items %j', (status, items) => {
    expect(issuesOf(withContents({ status, items }))).toEqual([]);
  });

  test.each([
    ['ready', []],
    ['ready', [{}, { status: 'processing' }]],
    ['draft', [{}]],
  ])('States, rule 3: cannot be %s with the items %j', (status, items) => {
    expect(issuesOf(withContents({ status, items }))).toEqual([
      expect.stringContaining(`deployments[0].tenants[0].contents[0].status: found "${status}"; `),
    ]);
  });

  test.each([
    [{ id: 'abc' }, 'id: found "abc"; allowed: 24 hexadecimal digits'],
    [{ title: '' }, 'title: found ""'],
    [{ items: [{ status: 'error' }] }, 'items[0].failureReason: found nothing'],
    [{ items: [{ failureReason: 'no sound' }] }, 'items[0].failureReason: found "no sound"'],
    [{ items: [{ type: 'song' }] }, 'items[0].type: found "song"'],
    [{ authorRef: 'eve' }, `authorRef: found "eve"; allowed: one of the tenant's authorRefs`],
    [
      { collaborationId: 'eve' },
      `collaborationId: found "eve"; allowed: one of the tenant's collaborationIds`,
    ],
  ])('%j is refused', (content, issue) => {
    const issues = issuesOf(withContents({ id: ID }, content));

    expect(issues).toHaveLength(1);
    expect(issues[0]).toContain(`deployments[0].tenants[0].contents[1].${issue}`);
  });

  test('can refer to the generated users of a tenant', () => {
    // The first author of the tenant in `GET /_sandbox/tenants`.
    const { authorRefs } = seededReferences({ environment: 'staging', platformRegion: 'mea' }, 't-1');

    const issues = issuesOf(
      seedOf({ tenantId: 't-1', contents: [{ authorRef: authorRefs[0] }, { authorRef: 'ada' }] }),
    );

    expect(issues).toEqual([expect.stringContaining('contents[1].authorRef: found "ada"')]);
  });

  test.each([
    ['in one tenant', withContents({ id: ID }, { id: ID }), 'deployments[0].tenants[0].contents[1].id'],
    [
      'in two tenants',
      seedOf({ tenantId: 't-1', contents: [{ id: ID }] }, { tenantId: 't-2', contents: [{ id: ID }] }),
      'deployments[0].tenants[1].contents[0].id',
    ],
  ])('must have a unique id: %s', (_where, seed, path) => {
    expect(issuesOf(seed)).toEqual([`${path}: found "${ID}"; allowed: a content id that is not in use`]);
  });
});

test('a malformed part does not hide faults between other parts', () => {
  const issues = issuesOf({
    deployments: [
      { environment: 'staging', platformRegion: 'mea', tenants: 'none' },
      'no deployment',
      {
        environment: 'staging',
        platformRegion: 'mea',
        tenants: [
          { tenantId: 't-1', authorRefs: [], contents: [{ id: ID, status: 'gone' }] },
          { tenantId: 't-1', authorRefs: 'ada', contents: [7, { id: ID, authorRef: 'ada' }] },
          7,
        ],
      },
    ],
    keyLagSec: -1,
    processing: { takesSec: '1' },
  });

  expect(issues.map((issue) => issue.split(': found ')[0])).toEqual([
    'deployments[0].tenants',
    'deployments[1]',
    'deployments[2].tenants[0].authorRefs',
    'deployments[2].tenants[0].contents[0].status',
    'deployments[2].tenants[1].authorRefs',
    'deployments[2].tenants[1].contents[0]',
    'deployments[2].tenants[2]',
    'processing.takesSec',
    'keyLagSec',
    'deployments[2]',
    'deployments[2].tenants[1].tenantId',
    'deployments[2].tenants[1].contents[1].id',
  ]);
});

test.each([[null], [undefined], [7], ['seed'], [[]], [{}], [{ deployments: {} }]])(
  '%j is not a seed',
  (input) => {
    expect(issuesOf(input)).toHaveLength(1);
  },
);
