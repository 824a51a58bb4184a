import { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';

import { parseConfiguration } from '../../lib/options/load';
import { REGION, tenant, written } from '../support/lib/configuration';
import { synthesizeOnce } from '../support/lib/synthesis';

const ACCOUNTS = {
  'staging-global': '111122223333',
  'production-global': '444455556666',
  'production-mea': '777788889999',
} as const;

/** One file for three accounts, as docs/accounts.md shows it. */
const deployments = Object.entries(ACCOUNTS).map(([key, account]) => {
  const [environment, platformRegion] = key.split('-') as ['staging' | 'production', 'global' | 'mea'];
  const region = platformRegion === 'mea' ? 'me-central-1' : REGION;
  const tenants = [tenant(`${key}-one`), tenant(`${key}-two`)];
  return { environment, platformRegion, account, region, tenants };
});
const { stacks } = synthesizeOnce(parseConfiguration({ ...written(), deployments }, 'the test')).assembly;
const accountOf = ({ environment }: CloudFormationStackArtifact) => environment.account;

describe('one configuration for three accounts', () => {
  it.each(Object.entries(ACCOUNTS))('has all stacks of %s in its account', (key, account) => {
    const here = stacks.filter((stack) => accountOf(stack) === account);

    expect(here.map(({ stackName }) => stackName).sort()).toEqual([
      'latchkey-api-gateway',
      `latchkey-${key}`,
      `latchkey-${key}-${key}-one`,
      `latchkey-${key}-${key}-two`,
    ]);
    expect(new Set(here.map(({ environment }) => environment.region)).size).toBe(1);
  });

  // `cdk deploy 'latchkey-staging-*'` with credentials of one account deploys what the named stacks depend on, and no more.
  it('has no stack that depends on a stack of another account', () => {
    const crossing = stacks.filter((stack) =>
      stack.dependencies
        .filter(CloudFormationStackArtifact.isCloudFormationStackArtifact)
        .some((each) => accountOf(each) !== accountOf(stack)),
    );

    expect(crossing.map(({ id }) => id)).toEqual([]);
  });

  it('names no account in the templates of another', () => {
    const naming = stacks.filter((stack) =>
      Object.values(ACCOUNTS).some(
        (account) => account !== accountOf(stack) && JSON.stringify(stack.template).includes(account),
      ),
    );

    expect(naming.map(({ id }) => id)).toEqual([]);
  });

  it('has unique ids, by which cdk deploy chooses', () => {
    const ids = stacks.map(({ id }) => id);

    expect(new Set(ids).size).toBe(stacks.length);
    expect(ids.filter((id) => /^latchkey-staging-/.test(id))).toHaveLength(3);
    expect(ids).toContain(`latchkey-api-gateway-${ACCOUNTS['staging-global']}-${REGION}`);
  });
});
