import { DEFAULT_SEED, parseSeed } from '../../sandbox/seed';
import { InvalidInputError } from '../../sandbox/validation';

const cell = (environment: string, platformRegion: string, ...tenantIds: string[]) => ({
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
  const seed = parseSeed({ cells: [cell('staging', 'mea', 't-1')] });

  expect(seed).toMatchObject({ restoreAvailable: true, actingUserIn: 'body' });
});

test('the default seed has all four cells', () => {
  const { cells } = parseSeed(DEFAULT_SEED);

  expect(cells.map(({ environment, platformRegion }) => `${environment}/${platformRegion}`)).toEqual([
    'staging/global',
    'staging/mea',
    'production/global',
    'production/mea',
  ]);
});

test('all faults of a seed are told at once, each by its path with the value found', () => {
  const issues = issuesOf({
    cells: [cell('live', 'mea', 't-1'), cell('staging', 'emea', 'no spaces')],
    actingUserIn: 'query',
  });

  expect(issues).toEqual([
    expect.stringMatching(/^cells\.0\.environment: got "live"; .*"staging"\|"production"/),
    expect.stringMatching(/^cells\.1\.platformRegion: got "emea"; .*"global"\|"mea"/),
    expect.stringMatching(/^cells\.1\.tenants\.0\.tenantId: got "no spaces"; /),
    expect.stringMatching(/^actingUserIn: got "query"; .*"body"\|"header"/),
  ]);
});

test('Authentication, HTTP Basic: a tenant identifier differs between live and staging', () => {
  const issues = issuesOf({ cells: [cell('staging', 'mea', 't-1'), cell('production', 'mea', 't-1')] });

  expect(issues).toEqual([
    'cells.1.tenants.0.tenantId: got "t-1"; a tenant identifier belongs to one cell, once',
  ]);
});

test('a cell that is listed twice is refused', () => {
  const issues = issuesOf({ cells: [cell('staging', 'mea', 't-1'), cell('staging', 'mea', 't-2')] });

  expect(issues).toEqual([expect.stringMatching(/^cells\.1: .*each cell is listed once$/)]);
});
