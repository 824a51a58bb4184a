import { ApiKeys } from '../../src/sandbox/content/api-keys';
import { parseSeed } from '../../src/sandbox/seed';
import { Sessions } from '../../src/sandbox/tenant-service/sessions';
import { Tenants } from '../../src/sandbox/tenants';
import { AccessTokens } from '../../src/sandbox/tokens/issued-tokens';
import { NOON_MS, SEED, TENANT } from './platform-under-test';

const [tenant] = new Tenants(parseSeed(SEED)).all();

/** Whether these work: the first one before the last is issued, the last one, and the first one afterwards. */
function firstAndLast<Issued>(
  count: number,
  issue: () => Issued,
  works: (issued: Issued) => boolean,
): boolean[] {
  const first = issue();
  for (let n = 2; n < count; n += 1) issue();
  return [works(first), works(issue()), works(first)];
}

test('drops the oldest access token beyond 50,000', () => {
  const tokens = new AccessTokens();
  const grant = { ...TENANT, clientId: 'c', interface: 'content', scope: 'api/all' } as const;

  const works = firstAndLast(
    50_001,
    () => tokens.issue(grant, NOON_MS),
    (token) => tokens.find(token, NOON_MS) !== undefined,
  );

  expect(works).toEqual([true, true, false]);
});

test('drops the oldest API key beyond 10,000', () => {
  const keys = new ApiKeys();

  const works = firstAndLast(
    10_001,
    () => keys.generate(tenant!, NOON_MS).apiKey,
    (key) => keys.isValid(key, tenant!, NOON_MS),
  );

  expect(works).toEqual([true, true, false]);
});

test('drops the oldest session beyond 10,000', () => {
  const sessions = new Sessions();

  const works = firstAndLast(
    10_001,
    () => sessions.open(tenant!, { isAdministrator: true, validForSec: 60 }, NOON_MS).authorization,
    (authorization) => sessions.find(authorization, NOON_MS) !== undefined,
  );

  expect(works).toEqual([true, true, false]);
});
