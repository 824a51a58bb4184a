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
  const seed = parseSeed({ cells: [deploymentKey('staging', 'mea', 't-1')] });

  expect(seed).toMatchObject({ restoreAvailable: true, actingUserIn: 'body', keyLagSec: 0, processing: {} });
});

test('the default seed has all four deployments', () => {
  const { cells } = parseSeed(DEFAULT_SEED);

  expect(cells.map(({ environment, platformRegion }) => `${environment}/${platformRegion}`)).toEqual([
    'staging/global',
    'staging/mea',
    'production/global',
    'production/mea',
  ]);
});

test('all faults of a seed are reported at once, each by its path with the value found', () => {
  const issues = issuesOf({
    cells: [deploymentKey('live', 'mea', 't-1'), deploymentKey('staging', 'emea', 'no spaces')],
    actingUserIn: 'query',
  });

  expect(issues).toEqual([
    expect.stringMatching(/^cells\[0\]\.environment: found "live"; allowed: .*staging, production/),
    expect.stringMatching(/^cells\[1\]\.platformRegion: found "emea"; allowed: .*global, mea/),
    expect.stringMatching(/^cells\[1\]\.tenants\[0\]\.tenantId: found "no spaces"; /),
    expect.stringMatching(/^actingUserIn: found "query"; allowed: .*body, header/),
  ]);
});

test('Authentication, HTTP Basic: a tenant identifier differs between live and staging', () => {
  const issues = issuesOf({
    cells: [deploymentKey('staging', 'mea', 't-1'), deploymentKey('production', 'mea', 't-1')],
  });

  expect(issues).toEqual([
    'cells[1].tenants[0].tenantId: found "t-1"; allowed: a tenant identifier that is not in use',
  ]);
});

test('a deployment listed twice is refused', () => {
  const issues = issuesOf({
    cells: [deploymentKey('staging', 'mea', 't-1'), deploymentKey('staging', 'mea', 't-2')],
  });

  expect(issues).toEqual([expect.stringMatching(/^cells\[1\]: .*a deployment that is not listed yet$/)]);
});

const ID = '0123456789abcdef01234567';
const seedOf = (...tenants: object[]) => ({
  cells: [{ environment: 'staging', platformRegion: 'mea', tenants }],
});
const withContents = (...contents: object[]) => seedOf({ tenantId: 't-1', authorRefs: ['ada'], contents });

describe('a content', () => {
  test('is archived by default, and its items are ok', () => {
    const { cells } = parseSeed(withContents({ items: [{}] }));

    expect(cells[0]?.tenants[0]?.contents).toEqual([{ status: 'archived', items: [{ status: 'ok' }] }]);
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
      expect.stringContaining(`cells[0].tenants[0].contents[0].status: found "${status}"; `),
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
    expect(issues[0]).toContain(`cells[0].tenants[0].contents[1].${issue}`);
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
    ['in one tenant', withContents({ id: ID }, { id: ID }), 'cells[0].tenants[0].contents[1].id'],
    [
      'in two tenants',
      seedOf({ tenantId: 't-1', contents: [{ id: ID }] }, { tenantId: 't-2', contents: [{ id: ID }] }),
      'cells[0].tenants[1].contents[0].id',
    ],
  ])('must have a unique id: %s', (_where, seed, path) => {
    expect(issuesOf(seed)).toEqual([`${path}: found "${ID}"; allowed: a content id that is not in use`]);
  });
});

test('a malformed part does not hide faults between other parts', () => {
  const issues = issuesOf({
    cells: [
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
    'cells[0].tenants',
    'cells[1]',
    'cells[2].tenants[0].authorRefs',
    'cells[2].tenants[0].contents[0].status',
    'cells[2].tenants[1].authorRefs',
    'cells[2].tenants[1].contents[0]',
    'cells[2].tenants[2]',
    'processing.takesSec',
    'keyLagSec',
    'cells[2]',
    'cells[2].tenants[1].tenantId',
    'cells[2].tenants[1].contents[1].id',
  ]);
});

test.each([[null], [undefined], [7], ['seed'], [[]], [{}], [{ cells: {} }]])('%j is not a seed', (input) => {
  expect(issuesOf(input)).toHaveLength(1);
});
