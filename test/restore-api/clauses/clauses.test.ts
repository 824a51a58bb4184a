import { checkClause } from '../../support/restore-api/check-clause';
import { type ClauseCase } from '../../support/restore-api/clause-case';
import { ClauseWorld } from '../../support/restore-api/clause-world';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../../support/restore-api/restore-api-under-test';
import { CASES } from './cases';
import { CLAUSES } from './clause';

const casesOf = (...clauses: (typeof CLAUSES)[number][]) =>
  CASES.filter(({ clause }) => clauses.some((each) => each === clause));

test('each clause has a case', () => {
  expect(CLAUSES.filter((clause) => casesOf(clause).length === 0)).toEqual([]);
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

    test.each(CASES.filter(({ actingUserIn = 'body' }) => actingUserIn === place))(
      '$clause: $title',
      (clauseCase) => checkClause(world, clauseCase),
    );

    describe('if API Gateway differs from its documentation', () => {
      const check = (clauseCase: ClauseCase) => checkClause(world, { ...clauseCase, actingUserIn: place });
      afterEach(() =>
        Object.assign(world.api.apis.readings, {
          pathParameters: 'as-sent',
          headerNames: 'known',
          undefinedRoutes: 'missing-token',
        }),
      );

      test.each(casesOf('Endpoints 3, path parameter'))(
        'and decodes path parameters: $title',
        (clauseCase) => {
          world.api.apis.readings.pathParameters = 'decoded';
          return check(clauseCase);
        },
      );

      test.each(
        casesOf('HTTP Basic, migration', 'Errors, 401 Unauthorized', 'Acting-user object, at least one'),
      )('and leaves the names of headers as sent: $clause: $title', (clauseCase) => {
        world.api.apis.readings.headerNames = 'as-sent';
        return check(clauseCase);
      });

      // One that is expired or of another key has the same response types.
      test.each(['Basic eDp5', 'Bearer x', 'AWS4-HMAC-SHA256 Credential=x', undefined])(
        'and reads %s as a signature: another method is an unknown route',
        (authorization) => {
          const unknownRoute = CASES.find(({ call }) => 'method' in (call ?? {}))!;
          world.api.apis.readings.undefinedRoutes = 'signature';
          return check({ ...unknownRoute, call: { method: 'GET', body: '', authorization } });
        },
      );
    });
  },
);
