import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { deploymentPath } from '../../../core/secrets/secret-names';
import { ACCOUNT_ID, type LocalAws, REGION } from 'cdk-on-loopback/testing/local-aws';

/** A role's permissions on the deployment's secrets: Secrets Manager actions by suffix of the secret's name. */
export type SecretRights = Readonly<Record<string, readonly string[]>>;

/** The environment of a process with exactly these permissions in a deployment. */
export function roleEnvironment(
  aws: LocalAws,
  { prefix, ...deploymentKey }: DeploymentFile,
  rights: SecretRights,
): Record<string, string> {
  const below = `arn:aws:secretsmanager:${REGION}:${ACCOUNT_ID}:secret:${deploymentPath(prefix, deploymentKey)}`;
  const statements = Object.entries(rights).map(([names, actions]) => ({
    Effect: 'Allow' as const,
    Action: actions.map((action) => `secretsmanager:${action}`),
    Resource: `${below}/*/${names}`,
  }));
  const { accessKeyId, secretAccessKey, sessionToken } = aws.roleKey(...statements);
  return {
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken!,
  };
}
