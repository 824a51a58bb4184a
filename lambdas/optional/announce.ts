import { type AnnounceAnswer, type AnnounceEvent } from '../../core/events/change-events';
import { credentialSecretId, type DeploymentFile } from '../../core/deployment/deployment-file';
import { holderOf } from '../../core/secrets/former-version';
import { CREDENTIAL_KINDS } from '../../core/secrets/secret-names';
import { EventError } from '../../core/events/tenants-event';
import { unknownField, wrongValue } from '../../core/events/event-values';
import { tenantKeyOf } from '../../core/tokens/token-key';
import { type ChangeEvents, type Clock, type CredentialVersions } from '../shared/ports';

const FIELDS = ['action', 'change', 'tenantId', 'credential', 'versionId'];
/** Secrets Manager's ids have 32 to 64 of these. */
const VERSION_ID = /^[\w-]{1,64}$/;
const CHANGES: readonly AnnounceEvent['change'][] = ['rotated', 'revoked'];

export interface AnnouncePorts {
  deployment: DeploymentFile;
  versions: Pick<CredentialVersions, 'describe'>;
  clock: Clock;
  events: ChangeEvents;
}

/**
 * Sends the event of a change that a command made, if the secret's labels allow it: a caller of rotate-credentials cannot announce
 * a rotation that did not happen, nor that a version in use was revoked. It can name an unknown version as revoked: Secrets
 * Manager does not list versions without labels.
 * @throws {EventError | StoreError}
 */
export async function announce(
  { deployment, versions, clock, events }: AnnouncePorts,
  event: Record<string, unknown>,
  deadlineMs: number,
): Promise<AnnounceAnswer> {
  const { change, tenantId, credential, versionId } = parse(event, deployment);
  const secretId = credentialSecretId(deployment, tenantKeyOf(deployment, tenantId), credential);
  const { arn, labels } = await versions.describe(secretId, deadlineMs - clock.monotonicMs());
  const isCurrent = holderOf(labels, 'AWSCURRENT') === versionId;
  const isPrevious = holderOf(labels, 'AWSPREVIOUS') === versionId;
  if (change === 'rotated' ? !isCurrent : isCurrent || isPrevious) return { sent: false };
  const type = change === 'rotated' ? 'Credential Rotated' : 'Credential Revoked';
  events.credentialChanged(type, { tenantId, credential, secretArn: arn, versionId });
  return { sent: true };
}

function parse(event: Record<string, unknown>, { tenants }: DeploymentFile): Omit<AnnounceEvent, 'action'> {
  const unknown = unknownField(event, FIELDS);
  if (unknown !== undefined) throw new EventError(unknown);
  const change = oneOf('change', event.change, CHANGES);
  const credential = oneOf('credential', event.credential, CREDENTIAL_KINDS);
  const tenantIds = tenants.map((tenant) => tenant.tenantId);
  const tenantId = oneOf('tenantId', event.tenantId, tenantIds);
  const { versionId } = event;
  if (typeof versionId !== 'string' || !VERSION_ID.test(versionId))
    throw new EventError(wrongValue('versionId', versionId, 'a version id'));
  return { change, tenantId, credential, versionId };
}

function oneOf<Value extends string>(field: string, value: unknown, allowed: readonly Value[]): Value {
  const match = allowed.find((known) => known === value);
  if (match !== undefined) return match;
  throw new EventError(wrongValue(field, value, allowed.map((known) => `"${known}"`).join(', ')));
}
