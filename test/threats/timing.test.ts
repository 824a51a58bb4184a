import { join } from 'node:path';

import { digestOf } from '../../lambdas/shared/domain/accepted-secret';
import { AwsGate } from '../faults/support/aws-gate';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';
import { secretComparisons, secretComparisonsIn } from './secret-comparisons';

// Far more than any test needs, for machines that are busy.
jest.setTimeout(30_000);

const ROOT = join(__dirname, '../..');

/** Comparisons that are no check of what a caller presents, each with the reason. */
const ALLOWED: Record<string, string> = {
  "lambdas/authorizer/authorization-header.ts: bytes.toString('base64') !== credentials":
    'the caller’s own text with itself',
  'lambdas/token-refresh/demand.ts: demand.rejectedTokenSha256 === sha256Hex(token.accessToken)':
    'what it learns of a digest, an invoker who may renew the token anyway learns more easily',
  'lambdas/token-refresh/obtain-token.ts: issued.accessToken === stored?.accessToken':
    'two tokens of the platform, neither of a caller',
  'lambdas/token-refresh/store-token.ts: current.token?.accessToken === issued.accessToken':
    'two tokens of the platform, neither of a caller',
  'client/authorized-fetch.ts: next.accessToken === accessToken': 'two tokens that the process holds',
  'client/token-supply.ts: cached.sha256 !== sha256': 'two tokens that the process holds',
  'client/token-supply.ts: cached?.sha256 !== tokenDigest(accessToken)': 'two tokens that the process holds',
  'client/token-supply.ts: before?.sha256 === read.sha256': 'two tokens that the process holds',
  'client/token-supply.ts: read.sha256 !== than.sha256': 'two tokens that the process holds',
};

describe('T6: no secret is compared in a time that depends on it', () => {
  test('by any source of the functions or the client, but for what is listed', () => {
    const found = ['lambdas', 'client'].flatMap((folder) => secretComparisonsIn(join(ROOT, folder), ROOT));

    expect(found.sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  test.each([
    'if (key.apiKey === presented) return true;',
    'return presented !== this.#secret;',
    'stored.accessToken!.startsWith(text)',
    'digest == other',
    'keys.includes(presentedKey)',
    'a.equals(secret.sha256)',
    'sign(x).digest() === y',
  ])('and the rule sees one in %s', (text) => {
    expect(secretComparisons(text)).toHaveLength(1);
  });

  test.each([
    'token === undefined',
    'kind === "api-key"',
    'secret?.x == null',
    'timingSafeEqual(key, token)',
  ])('and the rule sees none in %s', (text) => expect(secretComparisons(text)).toEqual([]));

  test('and digests are equally long, whatever was presented, as timingSafeEqual demands', () => {
    for (const secret of ['', 'a', 'é'.repeat(9_999), '\0', '\ud800'])
      expect(digestOf(secret)).toHaveLength(32);
  });
});

describe('T6: who guesses learns nothing of the tenants', () => {
  const UNKNOWN = 'me-south-1_Unknown';
  let api: RestoreApiUnderTest;
  let gate: AwsGate;
  beforeAll(async () => {
    api = await RestoreApiUnderTest.start();
    gate = await AwsGate.start(process.env.AWS_ENDPOINT_URL!);
    process.env.AWS_ENDPOINT_URL = gate.url;
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await gate?.stop();
    await api?.stop();
  });
  beforeEach(() => {
    gate.reset();
    api.functions.startNewProcesses();
  });

  const basic = (tenantId: string, apiKey: string) => api.basic({ tenantId, apiKey });
  const guess = (tenantId: string, authorization: string | undefined) =>
    api.call({ tenantId, contentId: 'any', authorization });

  test('from the answer: the same 401 for an unknown tenant, a wrong key, scheme or token, and none', async () => {
    const [{ tenantId }, neighbour] = api.tenants;
    const answers = [
      await guess(UNKNOWN, basic(UNKNOWN, 'wrong')),
      await guess(UNKNOWN, api.basic()),
      await guess(tenantId, basic(tenantId, 'wrong')),
      await guess(tenantId, basic(tenantId, neighbour.apiKey)),
      await guess(tenantId, api.basic(neighbour)),
      await guess(tenantId, 'Bearer wrong'),
      await guess(UNKNOWN, 'Bearer wrong'),
      await guess(tenantId, `Digest ${neighbour.apiKey}`),
      await guess(tenantId, undefined),
    ];

    const seen = answers.map(({ status, headers, text }) => ({
      status,
      problem: { ...(JSON.parse(text) as object), requestId: 'of each its own' },
      headers: Object.entries(headers).filter(([name]) => name !== 'date' && !/^x-amzn?-/.test(name)),
    }));
    expect(seen[0]).toMatchObject({ status: 401, problem: { code: 'unauthorized' } });
    expect(new Set(seen.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test.each<[string, (tenantId: string) => string]>([
    ['API key', (tenantId) => basic(tenantId, 'wrong')],
    ['token', () => 'Bearer wrong'],
  ])(
    'from the work: as many calls of AWS for an unknown tenant as for a wrong %s',
    async (_, authorization) => {
      const callsFor = async (tenantId: string) => {
        gate.reset();
        await guess(tenantId, authorization(tenantId));
        await guess(tenantId, authorization(tenantId));
        return gate.calls.map(({ operation }) => operation).sort();
      };

      const known = await callsFor(api.tenants[0].tenantId);

      expect(known.length).toBeGreaterThan(0);
      expect(await callsFor(UNKNOWN)).toEqual(known);
    },
  );
});
