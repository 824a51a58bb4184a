import { Stack } from 'aws-cdk-lib';
import type * as iam from 'aws-cdk-lib/aws-iam';

import { allow } from './allow';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
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

/** The optional modules that a function loads, because calls leave it otherwise than directly. */
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
