import { Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';

import { tokenSecretName } from '../../../core/secrets/secret-names';
import { type DeploymentKey, type TokenKey } from '../../../core/tokens/published-keys';
import { parseConfiguration } from '../../../lib/options/load';
import { TokenSecret } from '../../../lib/constructs/tokens/token-secret';
import { type DeploymentStack } from '../../../lib/stacks/deployment-stack';
import { addStacks } from '../../../lib/stacks/add-stacks';
import { ACCOUNT_ID, ALL_TOKENS, REGION, tenant, written } from './configuration';
import { Synthesis, temporaryApp } from './synthesis';

/** Ids that contain each other, or parts of secret names. */
export const DEPLOYMENT_KEYS: (DeploymentKey & { tenantIds: string[] })[] = [
  { environment: 'staging', platformRegion: 'global', tenantIds: ['tenant', 'tenant-a', 'token'] },
  { environment: 'staging', platformRegion: 'mea', tenantIds: ['tenant-a-mea'] },
  { environment: 'production', platformRegion: 'global', tenantIds: ['live-a', 'live-token'] },
  { environment: 'production', platformRegion: 'mea', tenantIds: ['live-mea'] },
];
/** The token keys of all tenants above. */
export const KEYS: TokenKey[] = DEPLOYMENT_KEYS.flatMap(({ tenantIds, ...deploymentKey }) =>
  tenantIds.flatMap((tenantId) => ALL_TOKENS.map((target) => ({ ...deploymentKey, tenantId, ...target }))),
);

/** All four deployments in one account, with a reader per token and an operator per deployment. */
export function synthesizeWithReaders(): Synthesis {
  const app = temporaryApp();
  const deployments = DEPLOYMENT_KEYS.map(({ tenantIds, ...deploymentKey }) => {
    const tenants = tenantIds.map((id) => tenant(id, ALL_TOKENS));
    return { ...deploymentKey, account: ACCOUNT_ID, region: REGION, tenants };
  });
  addStacks(app, parseConfiguration({ ...written(), deployments }, 'test configuration'));
  const readers = new Stack(app, 'readers', { env: { account: ACCOUNT_ID, region: REGION } });
  for (const key of KEYS) {
    const name = tokenSecretName('latchkey', key);
    const reader = roleFor(readers, name, `reader of ${name}`);
    const token = TokenSecret.fromKey(readers, key);
    token.grantReadToken(reader);
    token.grantEnsureFresh(reader);
  }
  for (const { environment, platformRegion } of DEPLOYMENT_KEYS) {
    const stack = app.node.findChild(`latchkey-${environment}-${platformRegion}`) as DeploymentStack;
    readers.addStackDependency(stack);
    const { operatorPolicy } = stack.latchkey;
    operatorPolicy.grantOperate(roleFor(stack, 'One', `operator of ${environment} ${platformRegion}`));
    roleFor(stack, 'Other', `operator of ${environment} ${platformRegion}`).addManagedPolicy(
      iam.ManagedPolicy.fromManagedPolicyArn(stack, 'Operate', operatorPolicy.managedPolicyArn),
    );
  }
  return new Synthesis(app);
}

function roleFor(stack: Stack, id: string, description: string): iam.Role {
  return new iam.Role(stack, id, { description, assumedBy: new iam.AccountRootPrincipal() });
}
