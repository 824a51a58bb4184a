import { EVENT_SOURCE, EVENT_TYPES, type TokenRenewedDetail } from '../core/events/change-events';
import { isJsonObject } from '../core/json/json-object';
import { type TokenKey } from '../core/tokens/published-keys';
import { checkTokenKey } from './argument-check';

/** A renewal that an event reports. */
export interface Renewal {
  readonly key: TokenKey;
  readonly versionId: string;
  /** The account and AWS region that sent the event. EventBridge sets them, so a sender cannot forge them. */
  readonly account: string;
  readonly region: string;
  /** When the token was issued, in ms since the epoch. */
  readonly renewedAtMs: number;
}

/**
 * The renewal that an event reports; undefined if it is another event, or one of a deployment with another prefix.
 * @param prefix undefined if the names of secrets have none
 * @throws {TypeError} that names the field, if it is no EventBridge event, or its detail is malformed
 * @see https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html
 */
export function renewalOf(event: unknown, prefix: string | undefined): Renewal | undefined {
  const { source, 'detail-type': type, account, region, detail } = isJsonObject(event) ? event : {};
  if (typeof source !== 'string' || typeof type !== 'string')
    throw new TypeError('event: found no source or detail-type; allowed: a whole event of EventBridge');
  if (source !== EVENT_SOURCE || type !== EVENT_TYPES.tokenRenewed) return undefined;
  if (typeof account !== 'string' || typeof region !== 'string')
    throw new TypeError('event: found no account or region; allowed: a whole event of EventBridge');
  if (!isJsonObject(detail))
    throw new TypeError('event.detail: found no object; allowed: that of a Token Renewed');
  if (prefix !== undefined && detail.prefix !== prefix) return undefined;
  const { versionId, renewedAt } = detail as Partial<Record<keyof TokenRenewedDetail, unknown>>;
  if (typeof versionId !== 'string')
    throw new TypeError('event.detail.versionId: found no text; allowed: a version id');
  const renewedAtMs = typeof renewedAt === 'string' ? Date.parse(renewedAt) : NaN;
  if (Number.isNaN(renewedAtMs))
    throw new TypeError('event.detail.renewedAt: found no time; allowed: a time in ISO 8601');
  return { key: checkTokenKey(detail as unknown as TokenKey), versionId, account, region, renewedAtMs };
}
