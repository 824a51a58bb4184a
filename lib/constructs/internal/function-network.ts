import { Stack } from 'aws-cdk-lib';
import * as ec2 from 'aws-cdk-lib/aws-ec2';
import type * as iam from 'aws-cdk-lib/aws-iam';
import { type Construct } from 'constructs';

import { allow } from './allow';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { deploymentText } from '../../../core/tokens/token-key';
import { ConfigurationError } from '../../options/configuration-error';
import { type CheckedOptions } from '../../options/schema';
import { type LatchkeyResources } from '../latchkey-resources';
import { keyStatement } from './key-statement';

/** The functions that call the platform. The others call only AWS. */
export const CALLS_PLATFORM: readonly string[] = [
  'token-refresh',
  'token-sweep',
  'rotate-credentials',
  'restore',
];

/** Name of the file with certificate authorities beside a function's code. */
export const AUTHORITIES_FILE = 'certificate-authorities.pem';

/**
 * Makes Node trust the file besides its own authorities.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-nodejs.html (NODE_EXTRA_CA_CERTS=/var/task/…)
 */
export const TRUSTING_AUTHORITIES_FILE = { NODE_EXTRA_CA_CERTS: `/var/task/${AUTHORITIES_FILE}` };

/** The optional modules that a function loads if its calls need a proxy or further certificate authorities. */
export function networkModules(bundleName: string, { network }: DeploymentFile): string[] {
  if (network === undefined) return [];
  const isForAws = network.certificateAuthorities !== undefined || network.proxy?.awsCalls === 'proxy';
  return CALLS_PLATFORM.includes(bundleName) || isForAws ? ['network'] : [];
}

/**
 * Lets a function read the proxy's credentials, if it calls the platform, and the parameter with certificate authorities.
 * @param keyArn of the key of the proxy's secret, if not the AWS managed one
 */
export function allowNetwork(
  role: iam.IRole,
  bundleName: string,
  { network }: DeploymentFile,
  keyArn: string | undefined,
): void {
  const secretArn = network?.proxy?.credentialsSecretArn;
  if (secretArn !== undefined && CALLS_PLATFORM.includes(bundleName)) {
    const secretArns = [secretArn];
    allow(role, ['secretsmanager:GetSecretValue'], secretArns);
    if (keyArn !== undefined)
      role.addToPrincipalPolicy(keyStatement(role, { keyArn, secretArns, actions: ['kms:Decrypt'] }));
  }
  const parameter = network?.certificateAuthorities;
  if (parameter === undefined) return;
  const arn = Stack.of(role).formatArn({
    service: 'ssm',
    resource: 'parameter',
    resourceName: parameter.replace(/^\//, ''),
  });
  allow(role, ['ssm:GetParameter'], [arn]);
}

export interface FunctionNetwork {
  readonly vpc: ec2.IVpc;
  readonly subnets: ec2.SubnetSelection | undefined;
  readonly securityGroups: ec2.ISecurityGroup[];
}

/**
 * The network of a deployment's functions; undefined outside of any VPC.
 * @throws {ConfigurationError} for isolated subnets without a proxy
 */
export function networkOf(
  scope: Construct,
  options: CheckedOptions,
  { vpc, vpcSubnets, securityGroups }: LatchkeyResources,
): FunctionNetwork | undefined {
  if (vpc !== undefined) {
    if (options.proxy === undefined && isIsolated(vpc, vpcSubnets))
      throw new ConfigurationError(scope.node.path, [
        'resources.vpc: found isolated subnets; allowed: subnets with a way out to the platform, or a proxy',
      ]);
    const description = `Latchkey functions of ${deploymentText(options)}`;
    const groups = securityGroups ?? [new ec2.SecurityGroup(scope, 'SecurityGroup', { vpc, description })];
    return { vpc, subnets: vpcSubnets, securityGroups: [...groups] };
  }
  if (options.vpc === undefined) return undefined;
  const { vpcId, subnetIds, securityGroupIds } = options.vpc;
  return {
    vpc: ec2.Vpc.fromVpcAttributes(scope, 'Vpc', { vpcId, availabilityZones: ['unused'] }),
    subnets: { subnets: subnetIds.map((id) => ec2.Subnet.fromSubnetId(scope, id, id)) },
    securityGroups: securityGroupIds.map((id) =>
      ec2.SecurityGroup.fromSecurityGroupId(scope, id, id, { mutable: false }),
    ),
  };
}

/** Whether none of the chosen subnets has a route out, as far as CDK knows. */
function isIsolated(vpc: ec2.IVpc, selection: ec2.SubnetSelection | undefined): boolean {
  const { isPendingLookup = false, subnetIds } = vpc.selectSubnets(selection);
  const isolated = vpc.isolatedSubnets.map(({ subnetId }) => subnetId);
  return !isPendingLookup && subnetIds.every((id) => isolated.includes(id));
}
