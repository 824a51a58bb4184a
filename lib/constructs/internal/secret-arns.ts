import { ArnFormat, Stack } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

import { deployedKindsOf, type DeploymentFile } from '../../../core/deployment/deployment-file';
import { CREDENTIAL_KINDS, type CredentialKind, deploymentPath } from '../../../core/secrets/secret-names';
import { renamedSecrets, secretNameOf } from '../../options/adoption';

/** The account and AWS region of the secrets. */
export interface SecretOwner {
  /** @default the account of the stack */
  readonly account?: string;
  /** @default the AWS region of the stack */
  readonly region?: string;
}

/**
 * The ARN pattern of the secrets with a name or name pattern.
 * Ends with `-??????`, because Secrets Manager appends `-` and six characters to a name. `*` would also match longer
 * names.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/auth-and-access_iam-policies.html
 */
export function secretArnPattern(scope: IConstruct, name: string, owner?: SecretOwner): string {
  return secretArn(scope, `${name}-??????`, owner);
}

function secretArn(scope: IConstruct, resourceName: string, { account, region }: SecretOwner = {}): string {
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName,
    arnFormat,
    account,
    region,
  });
}

/** The ARN pattern of a deployment's token secrets. @param region `*` for their replicas in any */
export function tokenArnPattern(
  scope: IConstruct,
  deployment: DeploymentFile,
  token = '*',
  region?: string,
): string {
  return secretArnPattern(scope, `${deploymentPath(deployment.prefix, deployment)}/*/token/${token}`, {
    region,
  });
}

/**
 * How requests name the secrets of a deployment, for event patterns: by name, full ARN, or ARN without its last characters. Few
 * wildcards, because EventBridge rejects patterns that cost it too much.
 * @param name below a tenant's path
 */
export function requestedNames(scope: IConstruct, deployment: DeploymentFile, name: string): unknown[] {
  const path = `${deploymentPath(deployment.prefix, deployment)}/*/${name}`;
  return [{ wildcard: path }, { wildcard: `${secretArn(scope, path).replace(/\*$/, '')}*` }];
}

/** Like {@link requestedNames}, for all secrets of the deployment. */
export function anyRequestedName(scope: IConstruct, deployment: DeploymentFile): unknown[] {
  const path = `${deploymentPath(deployment.prefix, deployment)}/`;
  return [{ prefix: path }, { prefix: secretArn(scope, path) }];
}

/** Like {@link requestedNames}, for adopted secrets whose names are not Latchkey's. */
export function adoptedNames(deployment: DeploymentFile, kinds: readonly CredentialKind[]): string[] {
  return renamedSecrets(deployment, kinds).flatMap(({ arn }) => [secretNameOf(arn), arn, arn.slice(0, -7)]);
}

/** What policies name to allow access to the credential secrets of a deployment. */
export interface CredentialArns {
  /** By path, so that the policy size does not depend on the number of tenants. */
  readonly patterns: string[];
  /** The exact ARNs of the adopted secrets with other names. The configuration limits how many there are. */
  readonly adopted: string[];
  readonly all: string[];
  /** The keys of adopted secrets, if not the deployment's. */
  readonly keys: string[];
}

/**
 * The ARNs of a deployment's credential secrets of some kinds. Leaves out kinds of which it has no secret.
 * @param region of the patterns; by default that of the stack
 */
export function credentialArns(
  scope: IConstruct,
  deployment: DeploymentFile,
  kinds: readonly CredentialKind[] = CREDENTIAL_KINDS,
  region?: string,
): CredentialArns {
  const root = deploymentPath(deployment.prefix, deployment);
  const deployed = deployedKindsOf(deployment).filter((kind) => kinds.includes(kind));
  const patterns = deployed.map((kind) => secretArnPattern(scope, `${root}/*/${kind}`, { region }));
  const secrets = renamedSecrets(deployment, kinds);
  const adopted = secrets.map(({ arn }) => arn);
  const keys = [...new Set(secrets.flatMap(({ kmsKeyArn }) => kmsKeyArn ?? []))];
  return { patterns, adopted, all: [...patterns, ...adopted], keys };
}
