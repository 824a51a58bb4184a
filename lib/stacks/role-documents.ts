import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { App, Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { type IConstruct } from 'constructs';

import { deploymentName, type DeploymentKey, tokenKeyOf } from '../../core/tokens/token-key';
import { replicasOf } from '../options/replica-regions-settings';
import { type RoleName } from '../options/roles-settings';
import { type Configuration, type DeploymentConfiguration } from '../options/schema';
import { deploymentStackName } from '../../core/deployment/stack-names';
import { roleNameOf } from '../constructs/internal/deployment-role';
import { TokenSecret } from '../constructs/tokens/token-secret';
import { addConfiguredStacks } from './add-configured-stacks';
import { type KnownTemplate, TemplateValues } from './template-values';

/** A policy in IAM's JSON. */
export interface PolicyText {
  readonly Version: string;
  readonly Statement: readonly object[];
}

/** A role as a template would have it. */
export interface RoleDocument {
  readonly name: RoleName;
  readonly description: string;
  readonly trustPolicy: PolicyText;
  /** AWS managed policies. */
  readonly managedPolicyArns: readonly string[];
  /** @default none */
  readonly policy?: PolicyText;
}

/** Who may do what in a deployment. */
export interface DeploymentRoles extends DeploymentKey {
  readonly roles: readonly RoleDocument[];
  readonly operatorPolicy: PolicyText;
  /** For services that read the tokens of a tenant. */
  readonly readers: readonly { readonly tenantId: string; readonly policy: PolicyText }[];
}

/**
 * What the roles of a configuration's deployments need, read from the templates that create them. Names that CloudFormation
 * will choose are patterns.
 * @throws {Error} if the account or AWS region of a deployment is not known
 */
export function roleDocuments(configuration: Configuration): DeploymentRoles[] {
  const outdir = mkdtempSync(join(tmpdir(), 'latchkey-roles-'));
  try {
    const app = new App({ outdir, treeMetadata: false });
    const deployments = configuration.deployments.map((deployment) => ({
      ...deployment,
      permissionsBoundaryArn: undefined,
      roles: { ...deployment.roles, existing: undefined },
    }));
    addConfiguredStacks(app, { ...configuration, deployments });
    const readers = deployments.map((deployment) => addReaders(app, configuration, deployment));
    const templates = app.synth().stacks.map(({ id, stackName, template, environment }) => ({
      ...{ id, stackName, account: environment.account, region: environment.region },
      template: template as KnownTemplate['template'],
    }));
    const values = new TemplateValues(templates, existingRolesOf(app, configuration));
    return deployments.map((deployment, index) =>
      documentsOf(app, values, { configuration, deployment }, readers[index]!),
    );
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

/** The ARNs that the configuration names, by the roles that a template would have in their place. */
function existingRolesOf(app: App, { prefix, deployments }: Configuration): Map<IConstruct, string> {
  return new Map(
    deployments.flatMap((deployment) =>
      deploymentStackOf(app, prefix, deployment)
        .node.findAll()
        .flatMap((node): [IConstruct, string][] => {
          const name = roleNameOf(node);
          const arn = name && deployment.roles.existing?.[name];
          return arn === undefined ? [] : [[node, arn]];
        }),
    ),
  );
}

/** A stack with a role for each tenant, to which a service's rights are granted. */
function addReaders(
  app: App,
  { prefix }: Configuration,
  { environment, platformRegion, tenants, formerKmsKeyArns, replicaRegions }: DeploymentConfiguration,
): Map<string, iam.Role> {
  const { account, region } = deploymentStackOf(app, prefix, { environment, platformRegion });
  const stack = new Stack(app, `readers-${deploymentName({ environment, platformRegion })}`, {
    env: { account, region },
  });
  const options = { prefix, otherKeyArns: formerKmsKeyArns, replicas: replicasOf(replicaRegions) };
  return new Map(
    tenants.map(({ tenantId, tokens }) => {
      const role = new iam.Role(stack, tenantId, { assumedBy: new iam.AccountRootPrincipal() });
      for (const token of tokens) {
        const secret = TokenSecret.fromKey(
          stack,
          tokenKeyOf({ environment, platformRegion, tenantId }, token),
          options,
        );
        secret.grantReadToken(role);
        secret.grantEnsureFresh(role);
      }
      return [tenantId, role];
    }),
  );
}

function documentsOf(
  app: App,
  values: TemplateValues,
  {
    configuration: { prefix, apiGatewayAccount },
    deployment,
  }: { configuration: Configuration; deployment: DeploymentConfiguration },
  readers: ReadonlyMap<string, iam.Role>,
): DeploymentRoles {
  const { environment, platformRegion } = deployment;
  const stack = deploymentStackOf(app, prefix, deployment);
  const isUsingLogging = deployment.restoreApi.enabled && apiGatewayAccount === 'managed';
  const shared = app.node.children.filter(
    (child) => isUsingLogging && Stack.isStack(child) && stack.dependencies.includes(child),
  );
  const roles = [stack, ...shared]
    .flatMap((scope) => scope.node.findAll())
    .flatMap((node) => {
      const name = roleNameOf(node);
      return name === undefined ? [] : [{ name, role: node as iam.Role }];
    })
    .map(({ name, role }): RoleDocument => {
      const created = role.node.defaultChild!;
      const policy = values.policyOf(role) as PolicyText | undefined;
      return {
        name,
        description: values.propertyOf(created, 'Description') as string,
        trustPolicy: values.propertyOf(created, 'AssumeRolePolicyDocument') as PolicyText,
        managedPolicyArns: (values.propertyOf(created, 'ManagedPolicyArns') as string[] | undefined) ?? [],
        ...(policy !== undefined && { policy }),
      };
    });
  const operator = stack.node
    .findAll()
    .find((node): node is iam.CfnManagedPolicy => node instanceof iam.CfnManagedPolicy)!;
  return {
    ...{ environment, platformRegion, roles },
    operatorPolicy: values.propertyOf(operator, 'PolicyDocument') as PolicyText,
    readers: [...readers].map(([tenantId, role]) => ({
      tenantId,
      policy: values.policyOf(role) as PolicyText,
    })),
  };
}

function deploymentStackOf(app: App, prefix: string, deploymentKey: DeploymentKey): Stack {
  return app.node.findChild(deploymentStackName(prefix, deploymentKey)) as Stack & IConstruct;
}
