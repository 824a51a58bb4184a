import { deploymentPath } from './secret-names';
import { type DeploymentKey } from './token-key';

/** What a deployment publishes in SSM Parameter Store, so that other stacks and repositories find it. */
export const PARAMETERS = [
  'key-arn',
  'operator-policy-arn',
  'alarm-topic-arn',
  'dead-letter-queue-url',
  'token-refresh-arn',
  'token-sweep-arn',
  'authorizer-arn',
  'restore-arn',
  'restore-api-url',
  /** With a usage plan only: what the stacks of tenants enter their keys into. */
  'restore-usage-plan-id',
  /** With a domain and no hosted zone for it only: what its DNS record has to point to. */
  'restore-domain-target',
  'rotate-credentials-arn',
  'credential-watch-arn',
] as const;
export type ParameterLeaf = (typeof PARAMETERS)[number];

/** `/latchkey/staging/mea/token-refresh-arn`. */
export function parameterName(prefix: string, deploymentKey: DeploymentKey, leaf: ParameterLeaf): string {
  return `/${deploymentPath(prefix, deploymentKey)}/${leaf}`;
}
