import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { inventoryOf } from '../../../lib/costs/inventory';
import { afterFreeTier, monthlyPrice } from '../../../lib/costs/monthly-price';
import { exceededUses, notableUses, quotaUse } from '../../../lib/costs/quotas';
import { quotaSummary, usd } from '../../../lib/costs/cost-summary';
import { maxTokens, sizeOf } from '../../../lib/costs/usage';
import { MAX_WRITES } from '../../../core/secrets/write-budget';
import { DEFAULT_QUOTAS } from '../../../lib/options/quota-settings';
import {
  ACCOUNT_ID,
  configuration,
  REGION,
  tenant,
  type WrittenDeployment,
} from '../../support/lib/configuration';
import { synthesizeOnce } from '../../support/lib/synthesis';

/** Synthesizes a deployment with a restore API and tenants that each have two content tokens. */
function synthesizeTenants(count: number, change: Partial<WrittenDeployment> = {}) {
  const tokens = ['api/read', 'api/write'].map((scope) => ({ interface: 'content', scope }) as const);
  const tenants = Array.from({ length: count }, (_, n) => tenant(`tenant-${n + 1}`, tokens));
  const value = configuration({ tenants, ...change });
  const synthesis = synthesizeOnce(value);
  const templates = synthesis.stackNames().map((stackName) => synthesis.template(stackName));
  return { deployment: value.deployments[0]!, templates };
}
type Synthesized = ReturnType<typeof synthesizeTenants>;

const IAM = `arn:aws:iam::${ACCOUNT_ID}`;
const SIZES = [1, 10, 100];
const deployments: Synthesized[] = SIZES.map((tenants) => synthesizeTenants(tenants));
const priceOf = ({ deployment, templates }: Synthesized) => monthlyPrice(deployment, templates);

describe('the quotas of an account and region', () => {
  const large = synthesizeTenants(100);
  /** What this many deployments of 100 tenants use. */
  const usesOf = (count: number, quotas = {}) =>
    quotaUse(Array(count).fill(large.deployment), Array(count).fill(large.templates).flat(), quotas);
  const names = (uses: { what: string }[]) => uses.map(({ what }) => what);

  it('are used by the sum over all deployments there, and too small for 2,800 tenants unless raised', () => {
    expect(usesOf(3)).toContainEqual(expect.objectContaining({ what: 'stacks', used: 306 }));
    expect(names(exceededUses(usesOf(28)))).toEqual(['alarms', 'stacks']);
    expect(exceededUses(usesOf(28, { alarms: 10_000, stacks: 4_000 }))).toEqual([]);
  });

  it.each([
    [undefined, 900, []],
    [101, 1, ['reserved concurrency']],
    [102, 2, []],
  ])(
    'with %d concurrent executions, let functions reserve %d, because AWS keeps 100 unreserved',
    (concurrentExecutions, allowed, exceeded) => {
      const reserving = synthesizeTenants(1, { reservedConcurrency: 1 });

      const uses = quotaUse([reserving.deployment], reserving.templates, { concurrentExecutions });

      expect(uses).toContainEqual(
        expect.objectContaining({ what: 'reserved concurrency', used: 2, limit: allowed }),
      );
      expect(names(exceededUses(uses))).toEqual(exceeded);
    },
  );

  it('allow the default deployment in an account with 10 concurrent executions', () => {
    expect(notableUses(usesOf(1, { concurrentExecutions: 10 }))).toEqual([]);
  });

  it('include the size of an event pattern, which names every reader that auditSecrets expects', () => {
    const withReaders = (count: number) => {
      const credentials = Array.from(
        { length: count },
        (_, index) => `${IAM}:role/people/operators-${index}`,
      );
      const secretReaders = { breakGlassRoleArn: `${IAM}:role/break-glass`, credentials, tokens: undefined };
      const { deployment, templates } = synthesizeTenants(1, { auditSecrets: true, secretReaders });
      return (quotas = {}) => names(exceededUses(quotaUse([deployment], templates, quotas)));
    };

    expect(withReaders(20)()).toEqual(['characters in an event pattern']);
    expect(withReaders(20)({ eventPatternCharacters: 4096 })).toEqual([]);
  });

  it('are reported above 80 %', () => {
    expect(names(notableUses(usesOf(15)))).not.toContain('stacks');
    expect(names(notableUses(usesOf(16)))).toContain('stacks');
  });

  it('warn of a deployment with more tokens than it keeps fresh, and do not stop it', () => {
    const [tenant] = large.deployment.tenants;
    const withTokens = (tokens: number) => ({
      ...large.deployment,
      tenants: Array.from({ length: tokens / 2 }, () => tenant!),
    });
    const linesOf = (tokens: number) =>
      quotaSummary(quotaUse([large.deployment, withTokens(tokens)], large.templates), 'here').join('\n');

    expect(linesOf(9_600)).not.toContain('!');
    expect(linesOf(16_000)).toContain(
      '! 133 % of Latchkey’s limit: 16,000 of 12,000 tokens of the largest deployment. ' +
        'Beyond it, tokens may expire before a sweep renews them: split the deployment (docs/limits.md)',
    );
    expect(exceededUses(quotaUse([withTokens(16_000)], large.templates))).toEqual([]);
  });

  it('follow the rate of token requests of each deployment', () => {
    const withRate = (tokenRequestsPerSec: number) => ({ ...large.deployment, tokenRequestsPerSec });

    expect(quotaUse([withRate(25), withRate(5)], large.templates)).toMatchObject([
      { what: 'secret writes per second', used: 30 },
      { what: 'secrets' },
      { what: 'tokens of the largest deployment', used: 200, limit: 6_000 },
      {},
      {},
      {},
      {},
    ]);
  });

  it('do not stop a deployment at a rate, which AWS throttles', () => {
    const rates = usesOf(15).filter(({ used, limit }) => used > limit);

    expect(names(rates)).toContain('secret writes per second');
    expect(exceededUses(rates)).toEqual([]);
  });
});

describe('the price of a month', () => {
  it('has its most expensive items first', () => {
    const amounts = priceOf(deployments[0]!).items.map(({ monthlyUsd }) => monthlyUsd);

    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
  });

  it('counts an adopted secret like a created one', () => {
    const arn = (kind: string) =>
      `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:latchkey/staging/global/tenant-1/${kind}-AbCdEf`;
    const [one] = synthesizeTenants(1).deployment.tenants;
    const adopting = synthesizeTenants(1, {
      tenants: [{ ...one!, adopt: { clientCredentials: arn('client-credentials'), apiKey: arn('api-key') } }],
    });

    expect(priceOf(adopting).totalUsd).toBeCloseTo(priceOf(deployments[0]!).totalUsd, 5);
    expect(quotaUse([adopting.deployment], adopting.templates)).toContainEqual({
      what: 'secrets',
      used: 4,
      limit: 500_000,
    });
  });

  const topicArn = `arn:aws:sns:${REGION}:${ACCOUNT_ID}:alarms`;
  const kmsKeyArn = `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/11111111-2222-3333-4444-555555555555`;
  it.each<[string, Partial<WrittenDeployment>, number]>([
    ['includes the web ACL of a rate per address, and its rule', { restoreApi: { ratePerIp: 300 } }, 6],
    ['includes a dashboard', { dashboard: true }, 3],
    ['includes each replica of a secret', { replicaRegions: ['eu-central-1', 'us-east-1'] }, 2 * 4 * 0.4],
    ['includes an event for each of 36 renewals a day', { events: true }, (2 * 36 * (730 / 24)) / 1e6],
    ['excludes an existing key and an existing topic', { kmsKeyArn, alarms: { topicArn } }, -1],
  ])('%s', (_, change, moreUsd) => {
    const { totalUsd } = priceOf(synthesizeTenants(1, change));

    expect(totalUsd - priceOf(deployments[0]!).totalUsd).toBeCloseTo(moreUsd, 5);
  });

  it('includes the requests of queues, with events of a trail', () => {
    const { items } = priceOf(synthesizeTenants(1, { trailEvents: true }));

    expect(usd(items.find(({ what }) => what === 'queue requests')!.monthlyUsd)).toBe('0.53');
  });

  it('is at most USD 6 for one tenant with one token', () => {
    const { totalUsd } = priceOf(
      synthesizeTenants(1, {
        tenants: [{ tenantId: 'tenant-1', tokens: [{ interface: 'content', scope: 'api/read' }] }],
      }),
    );

    expect(totalUsd).toBeLessThanOrEqual(6);
  });

  it('of 1,000 tenants with two tokens is at most USD 0.30 a tenant above their secrets, with events of a trail', () => {
    const [one, hundred] = [1, 100].map((tenants) =>
      priceOf(synthesizeTenants(tenants, { trailEvents: true })),
    );
    const ofTenant = (hundred!.totalUsd - one!.totalUsd) / 99;

    const ofThousand = one!.totalUsd + 999 * ofTenant;

    expect(ofThousand / 1_000 - 4 * 0.4).toBeLessThanOrEqual(0.3);
  });
});

describe('the price after the free tier', () => {
  const [one, ten, hundred] = deployments.map(priceOf);

  it('is lower by what is free, at most once for all deployments of an account', () => {
    // 10 alarm metrics, and the custom metrics.
    const saved = one!.totalUsd - afterFreeTier([one!]);
    expect(saved).toBeGreaterThan(1 + 0.5);
    expect(afterFreeTier([one!, ten!])).toBeGreaterThan(afterFreeTier([one!]) + afterFreeTier([ten!]));
    expect(afterFreeTier([])).toBe(0);
  });

  it('has no other discount', () => {
    const secrets = hundred!.items.find(({ what }) => what === 'secrets')!;
    expect(afterFreeTier([{ items: [secrets], totalUsd: 160 }])).toBe(160);
  });
});

/** Rows that are missing from a document, ignoring the alignment of its tables. */
function missingFrom(name: string, rows: readonly string[]): string[] {
  const page = readFileSync(join(__dirname, '../../..', name), 'utf8').replaceAll(/ +/g, ' ');
  return rows.filter((expected) => !page.includes(expected));
}

const row = (...deploymentKeys: (string | number)[]): string => `| ${deploymentKeys.join(' | ')} |`;

describe('docs/costs.md', () => {
  it('has the price for 1, 10 and 100 tenants', () => {
    const rows = deployments.map((made, index) => {
      const tenants = SIZES[index]!;
      const { secrets, alarms, compositeAlarms } = inventoryOf(made.templates);
      const { totalUsd } = priceOf(made);
      const after = usd(afterFreeTier([priceOf(made)]));
      return row(tenants, secrets, alarms + compositeAlarms, usd(totalUsd), usd(totalUsd / tenants), after);
    });

    expect(missingFrom('docs/costs.md', rows)).toEqual([]);
  });

  it('has the price of each item', () => {
    const prices = deployments.map(priceOf);
    const withThousand = ([one, ten, hundred]: number[]) => [
      one!,
      ten!,
      hundred!,
      one! + (999 * (hundred! - one!)) / 99,
    ];
    const rows = prices[0]!.items.map(({ what, price }) => {
      const amounts = prices.map(({ items }) => items.find((item) => item.what === what)!.monthlyUsd);
      return row(what, `${price.usd} per ${price.per}`, ...withThousand(amounts).map(usd));
    });
    const totals = withThousand(prices.map(({ totalUsd }) => totalUsd));
    const total = row('**total**', ...totals.map((amount) => `**${usd(amount)}**`));

    expect(missingFrom('docs/costs.md', [...rows, total.replace('** |', '** | |')])).toEqual([]);
  });

  it('has the use of each quota', () => {
    const uses = deployments.map(({ deployment, templates }) => quotaUse([deployment], templates));
    const rows = uses[0]!.map(({ what, limit }, index) => {
      const used = uses.map((quotas) => quotas[index]!.used.toLocaleString('en-US'));
      return row(what, limit.toLocaleString('en-US'), ...used);
    });

    expect(missingFrom('docs/costs.md', rows)).toEqual([]);
  });
});

describe('docs/limits.md', () => {
  const grouped = (count: number) => count.toLocaleString('en-US');
  const [one, , hundred] = deployments;
  /** The tenants at which a figure that grows with them reaches a limit, from deployments of one and of a hundred. */
  const tenantsAt = (limit: number, figureOf: (made: Synthesized) => number) => {
    const ofTenant = (figureOf(hundred!) - figureOf(one!)) / 99;
    return grouped(Math.floor((limit - (figureOf(one!) - ofTenant)) / ofTenant));
  };
  const used = (name: string) => (made: Synthesized) =>
    quotaUse([made.deployment], made.templates).find(({ what }) => what === name)!.used;

  it('has the tenants at which each limit is reached', () => {
    const { alarms, stacks } = DEFAULT_QUOTAS;
    const [, tenants, sec] = /\*\*credential-watch\*\*.*\n\| ([\d,]+) +\| (\d+) s/s.exec(
      readFileSync(join(__dirname, '../../../docs/limits.md'), 'utf8'),
    )!;
    const inspected = Math.floor((300 * Number(tenants!.replace(',', ''))) / Number(sec) / 1000) * 1000;
    const tokens = maxTokens(sizeOf(one!.deployment));
    const rows = [
      row(`${grouped(stacks)} stacks, AWS's default quota`, tenantsAt(stacks, used('stacks'))),
      row(`${grouped(alarms)} alarms, the former default`, tenantsAt(alarms, used('alarms'))),
      row(`${grouped(tokens)} tokens, at 10 requests a second`, grouped(tokens / 3)),
      row('five minutes, the timeout of credential-watch', `about ${grouped(inspected)}`),
    ];

    expect(missingFrom('docs/limits.md', rows)).toEqual([]);
    expect(missingFrom('docs/limits.md', [`keeps ${grouped(tokens)} tokens fresh`])).toEqual([]);
  });

  it('has the price of a deployment without its tenants, and the writes of a token', () => {
    const [ofOne, ofHundred] = [one!, hundred!].map((made) => priceOf(made).totalUsd);
    const base = ofOne! - (ofHundred! - ofOne!) / 99;

    expect(
      missingFrom('docs/limits.md', [
        `about USD ${base.toFixed(0)} a month`,
        `at most ${MAX_WRITES} writes per token and day`,
      ]),
    ).toEqual([]);
  });
});
