import { Aspects, type IAspect, type Stack, Tags } from 'aws-cdk-lib';
import { CfnStage } from 'aws-cdk-lib/aws-apigateway';
import { type Construct, type IConstruct } from 'constructs';

import { RUN_TAG } from '../../core/deployment/run-tag';
import { type Configuration } from '../options/schema';
import { deploymentStackName } from '../../core/deployment/stack-names';
import { deployAfter } from '../constructs/internal/deploy-after';
import { addStacks, environmentOf } from './add-stacks';
import { RunStack } from './run-stack';
import { SandboxStack } from './sandbox-stack';

/** Adds the stacks of a configuration with what a run needs, all tagged with its prefix. */
export function addRunStacks(scope: Construct, configuration: Configuration): void {
  const { prefix } = configuration;
  addStacks(scope, configuration);
  for (const deployment of configuration.deployments) {
    const stackName = `${prefix}-run`;
    const run = new RunStack(scope, stackName, {
      stackName,
      prefix,
      deployment,
      env: environmentOf(scope, configuration, deployment),
      description: 'What a run of latchkey prove needs',
    });
    const deploymentStack = scope.node.findChild(deploymentStackName(prefix, deployment)) as Stack;
    deployAfter(run, deploymentStack, 'The run needs the parameters of the deployment');
  }
  tagRun(scope, prefix);
  Aspects.of(scope).add(new WithoutAccessLogs());
}

/** Adds the platform's sandbox alone, with the tenants of a configuration. Its outputs say where it is. */
export function addRunSandbox(scope: Construct, configuration: Configuration): void {
  const { prefix, deployments } = configuration;
  const stackName = `${prefix}-sandbox`;
  const served = deployments.map(({ environment, platformRegion, tenants }) => ({
    environment,
    platformRegion,
    tenants: tenants.map(({ tenantId }) => ({ tenantId })),
  }));
  const env = environmentOf(scope, configuration, deployments[0]!);
  new SandboxStack(scope, stackName, { stackName, env, seed: { deployments: served } });
  tagRun(scope, prefix);
}

/** Tags everything, so that clean-up finds what it may remove. */
function tagRun(scope: Construct, prefix: string): void {
  Tags.of(scope).add(RUN_TAG, prefix);
}

/** Without a logging role, which an account has once per region, API Gateway refuses stages with access logs. */
class WithoutAccessLogs implements IAspect {
  visit(node: IConstruct): void {
    if (node instanceof CfnStage) node.accessLogSetting = undefined;
  }
}
