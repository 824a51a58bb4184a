import { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';

import { parseConfiguration } from '../../lib/options/load';
import { REGION, tenant, type WrittenConfiguration, written } from '../support/lib/configuration';
import { synthesizeOnce } from '../support/lib/synthesis';

const ACCOUNTS = {
  'staging-global': '111122223333',
  'production-global': '444455556666',
  'production-mea': '777788889999',
} as const;
const MEA_REGION = 'me-central-1';

/** One file for three accounts, as docs/accounts.md shows it. */
function threeAccounts(): WrittenConfiguration {
  const [base] = written().deployments;
  const deployments = Object.entries(ACCOUNTS).map(([key, account]) => {
    const [environment, platformRegion] = key.split('-') as ['staging' | 'production', 'global' | 'mea'];
    return {
      ...base!,
      environment,
      platformRegion,
      account,
      region: platformRegion === 'mea' ? MEA_REGION : REGION,
      tenants: [tenant(`${key}-one`), tenant(`${key}-two`)],
    };
  });
  return { ...written(), deployments };
}

const { stacks } = synthesizeOnce(parseConfiguration(threeAccounts(), 'the test')).assembly;
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
    for (const stack of stacks) {
      const before = stack.dependencies.filter(CloudFormationStackArtifact.isCloudFormationStackArtifact);
      expect([
        stack.id,
        ...new Set(before.map(accountOf).filter((each) => each !== accountOf(stack))),
      ]).toEqual([stack.id]);
    }
  });

  it('names no account in the templates of another', () => {
    const others = (stack: CloudFormationStackArtifact) =>
      Object.values(ACCOUNTS).filter((account) => account !== accountOf(stack));
    const naming = stacks.filter((stack) =>
      others(stack).some((account) => JSON.stringify(stack.template).includes(account)),
    );

    expect(naming.map(({ id }) => id)).toEqual([]);
  });

  it('is deployed by the roles of each account’s own bootstrap stack', () => {
    for (const stack of stacks) expect(stack.assumeRoleArn).toContain(`:iam::${accountOf(stack)}:role/cdk-`);
  });

  it('has unique ids, by which cdk deploy chooses', () => {
    const ids = stacks.map(({ id }) => id);

    expect(new Set(ids).size).toBe(stacks.length);
    expect(ids.filter((id) => /^latchkey-staging-/.test(id))).toHaveLength(3);
    expect(ids).toContain(`latchkey-api-gateway-${ACCOUNTS['staging-global']}-${REGION}`);
  });
});
