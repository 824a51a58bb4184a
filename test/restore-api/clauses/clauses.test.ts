import { checkClause } from '../../support/restore-api/check-clause';
import { ClauseWorld } from '../../support/restore-api/clause-world';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../../support/restore-api/restore-api-under-test';
import { CASES } from './cases';
import { CLAUSES } from './clause';

/** A restore, a caller without a credential, and an invalid request. */
const PROBES = ['C510', 'C001', 'C241'];

describe('the table', () => {
  test('has a case for every clause', () => {
    expect([...new Set(CASES.map(({ clause }) => clause))].sort()).toEqual([...CLAUSES].sort());
  });

  test('has no duplicates', () => {
    expect(new Set(CASES.map(({ id }) => id)).size).toBe(CASES.length);
    expect(new Set(CASES.map(({ clause, title }) => `${clause}: ${title}`)).size).toBe(CASES.length);
  });
});

describe.each(['body', 'header'] as const)(
  'with the acting user in the %s of requests to the platform',
  (place) => {
    let world: ClauseWorld;
    beforeAll(async () => {
      world = new ClauseWorld(
        await RestoreApiUnderTest.start({ restore: { available: true, actingUserIn: place } }),
      );
    }, START_TIMEOUT_MS);
    afterAll(() => world?.api.stop());

    const cases = CASES.filter(({ actingUserIn = 'body' }) => actingUserIn === place);

    test.each(cases)('$id $clause: $title', (clauseCase) => checkClause(world, clauseCase));

    const pathCases = CASES.filter(({ clause }) => clause === 'Endpoints 3, path parameter');

    test.each(pathCases)('$id also holds if API Gateway decodes path parameters', async (clauseCase) => {
      world.api.readings.pathParameters = 'decoded';
      try {
        await checkClause(world, { ...clauseCase, actingUserIn: place });
      } finally {
        world.api.readings.pathParameters = 'as-sent';
      }
    });

    test.each(PROBES)('%s also holds if API Gateway leaves the names of headers as sent', async (id) => {
      const clauseCase = CASES.find((each) => each.id === id)!;
      world.api.readings.headerNames = 'as-sent';
      try {
        await checkClause(world, { ...clauseCase, actingUserIn: place });
      } finally {
        world.api.readings.headerNames = 'known';
      }
    });

    // One that is expired or of another key has the same response types.
    test.each(['Basic eDp5', 'Bearer x', 'AWS4-HMAC-SHA256 Credential=x', undefined])(
      'another method is an unknown route if API Gateway reads %s as a signature',
      async (authorization) => {
        const [unknownRoute] = CASES.filter(({ id }) => id === 'C471');
        const call = { method: 'GET', body: '', authorization };
        world.api.readings.undefinedRoutes = 'signature';
        try {
          await checkClause(world, { ...unknownRoute!, call, actingUserIn: place });
        } finally {
          world.api.readings.undefinedRoutes = 'missing-token';
        }
      },
    );
  },
);
