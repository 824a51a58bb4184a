import { faultsOf } from '../../support/lib/faults';
import { provisionSynthesis } from '../../support/lib/provisioned';
import { tenant, type WrittenDeployment, written } from '../../support/lib/configuration';
import { synthesisWith } from '../../support/lib/synthesis';

/** AWS's limit, in bytes. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const LIMIT = 20_480;
const account = (n: number) => String(100_000_000_000 + n);
const accounts = (count: number, from = 0) => Array.from({ length: count }, (_, n) => account(from + n));
const organization = (n: number) => `o-${String(n).padStart(32, 'a')}`;

/** A deployment with two tenants, of which each has these readers. */
const readBy = (
  first: readonly string[],
  second: readonly string[] = [],
  organizations = 0,
): Partial<WrittenDeployment> => {
  const readerOrganizations = Array.from({ length: organizations }, (_, n) => organization(n));
  const token = { interface: 'content', scope: 'api/read' } as const;
  return {
    tenants: [
      tenant('tenant-a', [{ ...token, readerAccounts: [...first], readerOrganizations }]),
      tenant('tenant-b', [{ ...token, readerAccounts: [...second] }]),
    ],
  };
};

describe('the accounts of readerAccounts', () => {
  it('are at most as many as the policy of a function has room for', () => {
    expect(faultsOf(written(readBy(accounts(57), accounts(1, 57))))).toEqual([
      'deployments[0].tenants: found "58 accounts in readerAccounts"; allowed: at most 57, because the policy of token-refresh names each ' +
        'in at most 20480 bytes; for more, name their organization in readerOrganizations',
    ]);
  });

  it('are counted once, and beside organizations', () => {
    expect(faultsOf(written(readBy(accounts(57), accounts(57))))).toEqual([]);
    expect(faultsOf(written(readBy(accounts(57), [], 10)))).toEqual([
      expect.stringContaining('beside 10 organizations'),
    ]);
  });

  it('fit the policy if they are as many as are allowed', () => {
    const synthesis = synthesisWith({ ...readBy(accounts(57)), region: 'ap-southeast-1' });

    const { account: provisioned } = provisionSynthesis(synthesis);

    const refresh = [...provisioned.functions.values()].find(({ name }) => name.includes('TokenRefresh'))!;
    const size = JSON.stringify(refresh.resourcePolicy).length;
    expect([refresh.resourcePolicy.Statement].flat()).toHaveLength(57);
    expect(size).toBeLessThan(LIMIT);
  });
});
