import { type Stack } from 'aws-cdk-lib';
import { type Construct } from 'constructs';

import { type Configuration } from '../options/schema';
import { deploymentStackName } from '../../core/deployment/stack-names';
import { deployAfter } from '../constructs/internal/deploy-after';
import { addConfiguredStacks } from './add-configured-stacks';
import { LocalRolesStack } from './local-roles-stack';

/**
 * Adds the stacks of a configuration to an app or stage: one per deployment and one per tenant. A stage does not change
 * their names. On the laptop, where nobody else makes them, also one with the roles that exist already.
 * @throws {ConfigurationError} if an enclosing stage has another account or region than a deployment
 */
export function addStacks(scope: Construct, configuration: Configuration): void {
  addConfiguredStacks(scope, configuration);
  const { local, prefix, deployments } = configuration;
  const withExisting = deployments.filter(({ roles }) => roles.existing !== undefined);
  if (!local || withExisting.length === 0) return;
  const stacks = deployments.map((each) => scope.node.findChild(deploymentStackName(prefix, each)) as Stack);
  const { account, region } = stacks[0]!;
  const roles = new LocalRolesStack(scope, `${prefix}-local-roles`, {
    env: { account, region },
    configuration,
  });
  for (const stack of stacks) {
    for (const each of [stack, ...stack.dependencies])
      if (each !== roles) deployAfter(each, roles, 'The roles exist already');
  }
}
