import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { COMPOSITE_ALARMS, neededAlarms, TENANT_ALARMS } from '../../../core/alarms/alarm-rows';
import { inventoryOf } from '../../../lib/costs/inventory';
import { afterFreeTier, monthlyPrice } from '../../../lib/costs/monthly-price';
import { exceededUses, notableUses, quotaUse } from '../../../lib/costs/quotas';
import { quotaSummary, usd } from '../../../lib/costs/cost-summary';
import { maxTokens, sizeOf } from '../../../lib/costs/usage';
import { MAX_WRITES } from '../../../core/secrets/write-budget';
import { DEFAULT_QUOTAS } from '../../../lib/options/quota-settings';
import { ACCOUNT_ID, REGION } from '../../support/lib/configuration';
import { type Synthesized, synthesizeTenants } from './support';

const IAM = `arn:aws:iam::${ACCOUNT_ID}`;
const SIZES = [1, 10, 100];
const deployments: Synthesized[] = SIZES.map((tenants) => synthesizeTenants(tenants));
const priceOf = ({ deployment, templates }: Synthesized) => monthlyPrice(deployment, templates);

describe.each(SIZES.map((tenants, index) => ({ tenants, made: deployments[index]! })))(
  'a deployment of $tenants tenants with two tokens each',
  ({ tenants, made }) => {
    const inventory = inventoryOf(made.templates);

    it('has a secret for each credential and token, one key and no dashboard', () => {
      expect(inventory).toMatchObject({ secrets: 4 * tenants, keys: 1, dashboards: 0 });
    });

    it('has the deployment’s alarms, some of them composite, and two per tenant', () => {
      const composite = Object.keys(COMPOSITE_ALARMS).length;

      expect(inventory).toMatchObject({
        alarms: neededAlarms(true).length - composite + TENANT_ALARMS.length * tenants,
        compositeAlarms: composite,
      });
    });

    it('stays below every quota', () => {
      const uses = quotaUse([made.deployment], made.templates);

      expect(notableUses(uses)).toEqual([]);
    });
  },
);

describe('the quotas of an account and region', () => {
  const large = synthesizeTenants(100);
  /** Deployments of 100 tenants each. */
  const times = (count: number) => ({
    deployments: Array.from({ length: count }, () => large.deployment),
    templates: Array.from({ length: count }, () => large.templates).flat(),
  });
  const usesOf = (count: number, quotas = {}) => {
    const { deployments, templates } = times(count);
    return quotaUse(deployments, templates, quotas);
  };
  const names = (uses: { what: string }[]) => uses.map(({ what }) => what);

  it('are the sum over all deployments there', () => {
    const used = Object.fromEntries(usesOf(3).map((use) => [use.what, use.used]));

    expect(used).toMatchObject({ secrets: 1200, alarms: 642, stacks: 306 });
  });

  it('are too small for 2,800 tenants unless they were raised', () => {
    expect(names(exceededUses(usesOf(28)))).toEqual(['alarms', 'stacks']);
    expect(exceededUses(usesOf(28, { alarms: 10_000, stacks: 4_000 }))).toEqual([]);
  });

  it.each([
    [undefined, 900, []],
    [10, 0, ['reserved concurrency']],
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
    expect(exceededUses(usesOf(1, { concurrentExecutions: 10 }))).toEqual([]);
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

    expect(withReaders(3)()).toEqual([]);
    expect(withReaders(20)()).toEqual(['characters in an event pattern']);
    expect(withReaders(20)({ eventPatternCharacters: 4096 })).toEqual([]);
  });

  it('are reported above 80 %', () => {
    expect(names(notableUses(usesOf(15)))).toContain('secret writes per second');
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
    const usedOf = (what: string) => {
      const uses = quotaUse([withRate(25), withRate(5)], large.templates);
      const { used, limit } = uses.find((use) => use.what === what)!;
      return { used, limit };
    };

    expect(usedOf('tokens of the largest deployment')).toEqual({ used: 200, limit: 6_000 });
    expect(usedOf('secret writes per second').used).toBe(30);
  });

  it('do not stop a deployment at a rate, which AWS throttles', () => {
    const rates = usesOf(15).filter(({ used, limit }) => used > limit);

    expect(names(rates)).toContain('secret writes per second');
    expect(exceededUses(rates)).toEqual([]);
  });
});

describe('the price of a month', () => {
  it('is the sum of its items, most expensive first', () => {
    const { items, totalUsd } = priceOf(deployments[0]!);

    const amounts = items.map(({ monthlyUsd }) => monthlyUsd);
    expect(amounts).toEqual([...amounts].sort((a, b) => b - a));
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(totalUsd);
    expect(items.every(({ quantity, price, monthlyUsd }) => monthlyUsd === quantity * price.usd)).toBe(true);
  });

  it('counts an adopted secret like a created one', () => {
    const arn = (kind: string) =>
      `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:latchkey/staging/global/tenant-1/${kind}-AbCdEf`;
    const [one] = synthesizeTenants(1).deployment.tenants;
    const adopting = synthesizeTenants(1, {
      tenants: [{ ...one!, adopt: { clientCredentials: arn('client-credentials'), apiKey: arn('api-key') } }],
    });

    expect(usd(priceOf(adopting).totalUsd)).toBe(usd(priceOf(deployments[0]!).totalUsd));
    expect(quotaUse([adopting.deployment], adopting.templates)).toContainEqual({
      what: 'secrets',
      used: 4,
      limit: 500_000,
    });
  });

  it('includes the web ACL of a rate per address', () => {
    const own = priceOf(deployments[0]!);

    const guarded = priceOf(synthesizeTenants(1, { restoreApi: { ratePerIp: 300 } }));

    expect(usd(guarded.totalUsd)).toBe(usd(own.totalUsd + 6));
    expect(guarded.items.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['web ACL', 'web ACL rules']),
    );
  });

  it('includes an event for each renewal, if the deployment sends events', () => {
    const own = priceOf(synthesizeTenants(1));
    const telling = priceOf(synthesizeTenants(1, { events: true }));
    const events = telling.items.find(({ what }) => what === 'custom events')!;

    // Two tokens, 36 renewals a day.
    expect(Math.round(events.quantity * 1e6)).toBe(Math.round(2 * 36 * (730 / 24)));
    expect(telling.totalUsd).toBeCloseTo(own.totalUsd + events.quantity, 6);
    expect(own.items.map(({ what }) => what)).not.toContain('custom events');
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

  it('includes a dashboard, and the requests of queues', () => {
    const own = priceOf(deployments[0]!);
    const more = priceOf(synthesizeTenants(1, { dashboard: true, trailEvents: true }));

    expect(own.items.map(({ what }) => what)).not.toEqual(
      expect.arrayContaining(['dashboard', 'queue requests']),
    );
    expect(more.items).toContainEqual(expect.objectContaining({ what: 'dashboard', monthlyUsd: 3 }));
    expect(usd(more.items.find(({ what }) => what === 'queue requests')!.monthlyUsd)).toBe('0.53');
  });

  it('includes each replica, at the price of a secret', () => {
    const own = priceOf(deployments[0]!);

    const replicated = priceOf(synthesizeTenants(1, { replicaRegions: ['eu-central-1', 'us-east-1'] }));

    expect(usd(replicated.totalUsd)).toBe(usd(own.totalUsd + 2 * 4 * 0.4));
    expect(replicated.items).toContainEqual(
      expect.objectContaining({ what: 'secret replicas', quantity: 8 }),
    );
  });

  it('excludes an existing key and an existing topic', () => {
    const own = priceOf(deployments[0]!);
    const topicArn = `arn:aws:sns:${REGION}:${ACCOUNT_ID}:alarms`;
    const kmsKeyArn = `arn:aws:kms:${REGION}:${ACCOUNT_ID}:key/11111111-2222-3333-4444-555555555555`;

    const existing = priceOf(synthesizeTenants(1, { kmsKeyArn, alarms: { topicArn } }));

    expect(usd(existing.totalUsd)).toBe(usd(own.totalUsd - 1));
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
