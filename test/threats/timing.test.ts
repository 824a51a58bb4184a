import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import rule from '../../eslint.secret-comparisons.cjs';
import { digestOf } from '../../core/secrets/accepted-secret';
import { AwsGate } from '../faults/support/aws-gate';
import { expectRed } from '../support/holes/expect-red';
import { requireInstalled } from '../support/require-installed';
import { type Hole } from '../support/restore-api/hole';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';

// Much longer than any test needs, for busy machines.
jest.setTimeout(30_000);

const requireLint = requireInstalled('tools/lint');
const { Linter } = requireLint('eslint') as {
  Linter: new () => { verify(text: string, config: object, file: string): object[] };
};
const { parser } = requireLint('typescript-eslint') as { parser: object };
const ESLINT = join(requireLint.resolve('eslint/package.json'), '../bin/eslint.js');

/** What the lint rule for functions and the client reports. */
function reported(source: string) {
  return new Linter().verify(
    source,
    {
      files: ['**/*.ts'],
      languageOptions: { parser },
      rules: { 'no-restricted-syntax': ['error', ...rule] },
    },
    'source.ts',
  );
}

describe('T6: no comparison of secrets takes a time that depends on them', () => {
  test.each(['lambdas/restore/handler.ts', 'client/index.ts'])('lint applies the rule to %s', (file) => {
    // In another process, since jest cannot load an ES module.
    const printed = execFileSync(process.execPath, [ESLINT, '--print-config', file], { encoding: 'utf8' });
    const { rules } = JSON.parse(printed) as { rules: Record<string, unknown> };

    expect(rules['no-restricted-syntax']).toEqual(expect.arrayContaining([2, ...rule]));
  });

  test.each([
    'if (key.apiKey === presented) done();',
    'class A { #secret; is(presented) { return presented !== this.#secret; } }',
    'stored.accessToken!.startsWith(text)',
    'cached?.sha256 !== other',
    'digest == other',
    'keys.includes(presentedKey)',
    'a.equals(secret.sha256)',
    'sign(x).digest() === y',
  ])('lint reports one in %s', (source) => {
    expect(reported(source)).toMatchObject([{ ruleId: 'no-restricted-syntax', severity: 2 }]);
  });

  test.each([
    'token === undefined',
    'kind === "api-key"',
    'secret?.x == null',
    'timingSafeEqual(key, token)',
  ])('lint reports none in %s', (source) => expect(reported(source)).toEqual([]));

  test('digests have the same length for any input, as timingSafeEqual requires', () => {
    for (const secret of ['', 'a', 'é'.repeat(9_999), '\0', '\ud800'])
      expect(digestOf(secret)).toHaveLength(32);
  });
});

describe('T6: an attacker who guesses learns nothing about tenants', () => {
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

  /** Removes a defense until the next test. */
  const without = (hole: Hole) => (api.hole = hole);
  afterEach(() => (api.hole = undefined));

  async function expectSameAnswers() {
    const [{ tenantId }, neighbor] = api.tenants;
    const answers = [
      await guess(UNKNOWN, basic(UNKNOWN, 'wrong')),
      await guess(UNKNOWN, api.basic()),
      await guess(tenantId, basic(tenantId, 'wrong')),
      await guess(tenantId, basic(tenantId, neighbor.apiKey)),
      await guess(tenantId, api.basic(neighbor)),
      await guess(tenantId, 'Bearer wrong'),
      await guess(UNKNOWN, 'Bearer wrong'),
      await guess(tenantId, `Digest ${neighbor.apiKey}`),
      await guess(tenantId, undefined),
    ];

    const seen = answers.map(({ status, headers, text }) => ({
      status,
      problem: { ...(JSON.parse(text) as object), requestId: 'of each its own' },
      headers: Object.entries(headers).filter(([name]) => name !== 'date' && !/^x-amzn?-/.test(name)),
    }));
    expect(seen[0]).toMatchObject({ status: 401, problem: { code: 'unauthorized' } });
    expect(new Set(seen.map((answer) => JSON.stringify(answer))).size).toBe(1);
  }

  test('from the answer: the same 401 for an unknown tenant, and a wrong or missing key, scheme or token', () =>
    expectSameAnswers());

  test('from the answer: turns red when the answer reveals that a tenant is unknown', async () => {
    without({
      wrong: 'an unknown tenant gets another answer',
      authorizer: (event, run) =>
        event.pathParameters?.tenantId === UNKNOWN ? Promise.reject(new Error('unknown tenant')) : run(event),
    });

    await expectRed(expectSameAnswers);
  });

  async function expectSameWork(authorization: (tenantId: string) => string) {
    const callsFor = async (tenantId: string) => {
      gate.reset();
      await guess(tenantId, authorization(tenantId));
      await guess(tenantId, authorization(tenantId));
      return gate.calls.map(({ operation }) => operation).sort();
    };

    const known = await callsFor(api.tenants[0].tenantId);

    expect(known.length).toBeGreaterThan(0);
    expect(await callsFor(UNKNOWN)).toEqual(known);
  }

  const WRONG: [string, (tenantId: string) => string][] = [
    ['API key', (tenantId) => basic(tenantId, 'wrong')],
    ['token', () => 'Bearer wrong'],
  ];

  test.each(WRONG)(
    'from the work: as many AWS calls for an unknown tenant as for a wrong %s',
    (_, authorization) => expectSameWork(authorization),
  );

  test.each(WRONG)(
    'from the work: turns red when an unknown tenant is refused without reading its %s',
    async (_, authorization) => {
      without({
        wrong: 'nothing is looked up for an unknown tenant',
        authorizer: (event, run) =>
          event.pathParameters?.tenantId === UNKNOWN ? Promise.reject(new Error('Unauthorized')) : run(event),
      });

      await expectRed(() => expectSameWork(authorization));
    },
  );
});
