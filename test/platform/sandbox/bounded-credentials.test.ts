import { ApiKeys } from '../../../platform/sandbox/content/api-keys';
import { parseSeed } from '../../../platform/sandbox/seed';
import { Sessions } from '../../../platform/sandbox/tenant-service/sessions';
import { Tenants } from '../../../platform/sandbox/tenants';
import { AccessTokens } from '../../../platform/sandbox/tokens/issued-tokens';
import { NOON_MS, SEED, TENANT } from './platform-under-test';

const [tenant] = new Tenants(parseSeed(SEED)).all();

/** Whether the first still works just before the last is issued, the last itself, and the first after it. */
function firstAndLast<Issued>(
  count: number,
  issue: () => Issued,
  works: (issued: Issued) => boolean,
): boolean[] {
  const first = issue();
  for (let n = 2; n < count; n += 1) issue();
  return [works(first), works(issue()), works(first)];
}

test('of more than 50,000 access tokens, the oldest is forgotten', () => {
  const tokens = new AccessTokens();
  const grant = { ...TENANT, clientId: 'c', interface: 'content', scope: 'api/all' } as const;

  const works = firstAndLast(
    50_001,
    () => tokens.issue(grant, NOON_MS),
    (token) => tokens.find(token, NOON_MS) !== undefined,
  );

  expect(works).toEqual([true, true, false]);
});

test('of more than 10,000 API keys, the oldest is forgotten', () => {
  const keys = new ApiKeys();

  const works = firstAndLast(
    10_001,
    () => keys.generate(tenant!, NOON_MS).apiKey,
    (key) => keys.isValid(key, tenant!, NOON_MS),
  );

  expect(works).toEqual([true, true, false]);
});

test('of more than 10,000 sessions, the oldest is forgotten', () => {
  const sessions = new Sessions();

  const works = firstAndLast(
    10_001,
    () => sessions.open(tenant!, { isAdministrator: true, validForSec: 60 }, NOON_MS).authorization,
    (authorization) => sessions.find(authorization, NOON_MS) !== undefined,
  );

  expect(works).toEqual([true, true, false]);
});
