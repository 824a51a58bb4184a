import { adoptedSecret, type DeploymentFile } from '../deployment/deployment-file';
import { isJsonObject } from '../json/json-object';
import { CREDENTIAL_KINDS, deploymentPath } from '../secrets/secret-names';

/**
 * Time after which the functions look at a credential although no event was about it: AWS delivers events on a best effort
 * basis, so one may be lost.
 * @see https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-events.html (best effort)
 */
export const MAX_UNSEEN_MS = 60 * 60_000;

/** Whether an event is a batch of messages of a queue. */
export function isQueueEvent(event: unknown): event is { Records: unknown[] } {
  return isJsonObject(event) && Array.isArray(event['Records']);
}

/**
 * The tenants whose secrets changed, from messages that each hold an event of the account's trail. Ignores secrets of other
 * deployments, and messages that it cannot read.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/cloudtrail_log_entries.html
 */
export function changedTenants({ Records }: { Records: unknown[] }, deployment: DeploymentFile): string[] {
  const names = new Set(Records.flatMap((message) => secretNameIn(message) ?? []));
  const root = `${deploymentPath(deployment.prefix, deployment)}/`;
  const tenantIds = new Set(
    [...names].filter((name) => name.startsWith(root)).map((name) => name.slice(root.length).split('/')[0]),
  );
  return deployment.tenants
    .filter(
      (tenant) => tenantIds.has(tenant.tenantId) || adoptedNames(tenant).some((name) => names.has(name)),
    )
    .map(({ tenantId }) => tenantId);
}

/** A request names a secret by its name, or by its ARN with or without the last seven characters. */
function secretNameIn(message: unknown): string | undefined {
  if (!isJsonObject(message) || typeof message['body'] !== 'string') return undefined;
  try {
    const event = JSON.parse(message['body']) as {
      detail?: { requestParameters?: { secretId?: unknown } | null };
    } | null;
    const secretId = event?.detail?.requestParameters?.secretId;
    return typeof secretId === 'string' ? secretId.slice(secretId.lastIndexOf(':') + 1) : undefined;
  } catch {
    return undefined;
  }
}

/** The names by which a request may name the secrets that a tenant adopted. */
function adoptedNames(tenant: DeploymentFile['tenants'][number]): string[] {
  return CREDENTIAL_KINDS.flatMap((kind) => {
    const { arn } = adoptedSecret({ tenants: [tenant] }, tenant, kind) ?? {};
    if (arn === undefined) return [];
    const name = arn.slice(arn.lastIndexOf(':') + 1);
    return [name, name.slice(0, -'-AbCdEf'.length)];
  });
}
