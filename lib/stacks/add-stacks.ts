import { type Environment, type Stack, type StackProps, Stage, Tags } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { type Construct } from 'constructs';

import { type ConfigurationIssue, issueLine } from '../options/configuration-issue';
import { ConfigurationError } from '../options/configuration-error';
import { type Configuration, type DeploymentConfiguration } from '../options/schema';
import { deploymentStackName, tenantStackName } from '../../core/deployment/stack-names';
import { deploymentText } from '../../core/tokens/token-key';
import { deployAfter } from '../constructs/internal/deploy-after';
import { ApiGatewayAccountStack } from './api-gateway-account-stack';
import { DeploymentStack } from './deployment-stack';
import { TenantStack } from './tenant-stack';

/** A fictitious account, so that a local configuration cannot be deployed. */
const LOCAL_ENVIRONMENT: Environment = { account: '111111111111', region: 'eu-west-1' };

/**
 * Adds the stacks of a configuration to an app or stage: one per deployment and one per tenant. A stage does not change
 * their names.
 * @throws {ConfigurationError} if an enclosing stage has another account or region than a deployment
 */
export function addStacks(scope: Construct, configuration: Configuration): void {
  const { prefix, requiredTags } = configuration;
  // For a stage, `of` returns the enclosing one.
  const stage = Stage.isStage(scope) ? scope : Stage.of(scope);
  if (stage !== undefined) checkEnvironments(stage, configuration);

  for (const deployment of configuration.deployments) {
    const env = environmentOf(scope, configuration, deployment);
    // An account may refuse to create a stack without tags, and CDK sends only those that the stack itself has.
    const tags = requiredTags.length > 0 ? deployment.tags : undefined;
    const stackName = deploymentStackName(prefix, deployment);
    const deploymentStack = new DeploymentStack(scope, stackName, {
      env,
      tags,
      configuration,
      deployment,
      stackName,
      description: `Latchkey: ${deploymentText(deployment)}`,
    });
    if (deployment.restoreApi.enabled && configuration.apiGatewayAccount === 'managed') {
      // Without the logging role, API Gateway refuses the stage.
      deployAfter(
        deploymentStack,
        accountStackOf(scope, configuration, deployment, { env, tags }),
        'API Gateway needs its logging role',
      );
    }
    const tenantStacks = deployment.tenants.map((tenant) => {
      const tenantStack = tenantStackName(prefix, deployment, tenant.tenantId);
      return new TenantStack(scope, tenantStack, {
        env,
        tags,
        tenant,
        stackName: tenantStack,
        latchkey: deploymentStack.latchkey,
        description: `Latchkey: ${deploymentText(deployment)}, tenant ${tenant.tenantId}`,
      });
    });
    for (const stack of [deploymentStack, ...tenantStacks]) applyGuardrails(stack, deployment);
  }
}

/**
 * The stack of API Gateway's logging role, of which there is one per account and AWS region, with the tags, role and permissions
 * boundary of the first deployment there. It is protected if one of the deployments is.
 */
function accountStackOf(
  scope: Construct,
  { prefix }: Configuration,
  deployment: DeploymentConfiguration,
  { env, tags }: { env: Environment; tags: StackProps['tags'] },
): ApiGatewayAccountStack {
  const stackName = `${prefix}-api-gateway`;
  const id = [stackName, env.account, env.region].filter((part) => part !== undefined).join('-');
  const existing = scope.node.tryFindChild(id) as ApiGatewayAccountStack | undefined;
  if (existing !== undefined) {
    existing.terminationProtection ||= deployment.terminationProtection;
    return existing;
  }
  const stack = new ApiGatewayAccountStack(scope, id, {
    env,
    tags,
    stackName,
    logging: { prefix, roles: deployment.roles },
    description: 'Latchkey: API Gateway’s logging role for this account and region',
  });
  applyGuardrails(stack, deployment);
  return stack;
}

/** Account and region of a deployment's stacks. */
export function environmentOf(
  scope: Construct,
  { local }: Configuration,
  { account, region }: DeploymentConfiguration,
): Environment {
  if (local) return LOCAL_ENVIRONMENT;
  const stage = Stage.isStage(scope) ? scope : Stage.of(scope);
  return {
    // In a pipeline, the last is the account of the build.
    account: account ?? stage?.account ?? process.env.CDK_DEFAULT_ACCOUNT,
    region: region ?? stage?.region ?? process.env.CDK_DEFAULT_REGION,
  };
}

/** @throws {ConfigurationError} if a stage has another account or region than a deployment: either may be wrong */
function checkEnvironments(stage: Stage, { local, deployments }: Configuration): void {
  const issues = (['account', 'region'] as const).flatMap((field): ConfigurationIssue[] => {
    const ofStage = stage[field];
    if (ofStage === undefined) return [];
    if (local)
      return [{ path: ['local'], found: true, allowed: `false in a stage with the ${field} ${ofStage}` }];
    return deployments.flatMap(({ [field]: found }, index) =>
      found === undefined || found === ofStage
        ? []
        : [{ path: ['deployments', index, field], found, allowed: `${ofStage}, the ${field} of the stage` }],
    );
  });
  if (issues.length > 0)
    throw new ConfigurationError(`the configuration of the stage ${stage.node.path}`, issues.map(issueLine));
}

/** Applies termination protection, tags and permissions boundary. */
function applyGuardrails(
  stack: Stack,
  { terminationProtection, tags, permissionsBoundaryArn }: DeploymentConfiguration,
): void {
  stack.terminationProtection = terminationProtection;
  for (const [key, value] of Object.entries(tags)) Tags.of(stack).add(key, value);
  if (permissionsBoundaryArn === undefined) return;
  iam.PermissionsBoundary.of(stack).apply(
    iam.ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', permissionsBoundaryArn),
  );
}
