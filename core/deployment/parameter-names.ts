import { deploymentPath } from '../secrets/secret-names';
import { type DeploymentKey } from '../tokens/token-key';

/** The SSM parameters that a deployment publishes for other stacks and repositories. */
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
  /** The log group with a line for each restore. */
  'restore-log-group',
  /** Only with a usage plan: each tenant's stack adds its key to it. */
  'restore-usage-plan-id',
  /** Only with a domain but no hosted zone: the target of the DNS record that you create. */
  'restore-domain-target',
  /** Only with secretReaders: the ARNs of the roles of our functions that read these secrets, with commas between. */
  'client-credentials-readers',
  'api-key-readers',
  'token-readers',
  'rotate-credentials-arn',
  /** The only role that records which API keys the platform accepted. */
  'rotate-credentials-role-arn',
  'credential-watch-arn',
  /** Only with events: the event bus that gets them. */
  'event-bus-arn',
] as const;
export type ParameterLeaf = (typeof PARAMETERS)[number];

/** `/latchkey/staging/mea/token-refresh-arn`. */
export function parameterName(prefix: string, deploymentKey: DeploymentKey, leaf: ParameterLeaf): string {
  return `/${deploymentPath(prefix, deploymentKey)}/${leaf}`;
}
