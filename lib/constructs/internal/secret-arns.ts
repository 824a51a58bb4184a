import { ArnFormat, Stack } from 'aws-cdk-lib';
import { type IConstruct } from 'constructs';

import { deployedKindsOf, type DeploymentFile } from '../../../core/deployment/deployment-file';
import { CREDENTIAL_KINDS, type CredentialKind, deploymentPath } from '../../../core/secrets/secret-names';
import { renamedSecrets } from '../../options/adoption';

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
export function secretArnPattern(scope: IConstruct, name: string, owner: SecretOwner = {}): string {
  return Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    account: owner.account,
    region: owner.region,
  });
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
 * The ARNs of a deployment's credential secrets of some kinds, and nothing beyond them. None of a kind of which it has no
 * secret.
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
