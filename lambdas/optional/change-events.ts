import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import { unlessAborted } from '../../client/waits';
import {
  type ChangeDetails,
  EVENT_SCHEMA_VERSION,
  EVENT_SOURCE,
  EVENT_TYPES,
  type EventType,
} from '../../core/events/change-events';
import { type MeasuredDeployment } from '../../core/alarms/metrics';
import { DEFAULT_PREFIX } from '../../core/secrets/secret-names';
import { tenantKeyOf, type TokenKey, tokenKeyOf } from '../../core/tokens/token-key';
import {
  type ChangeEvents,
  type Clock,
  type CredentialChange,
  type Log,
  type LogFields,
  type Metrics,
  type TokenEntry,
} from '../shared/ports';
import { type Network } from './network';

/** Time limit of one attempt with the SDK's retry. Callers of token-refresh may wait this long. */
const SENDING_MS = 1_000;
/** Events that wait for another attempt in this process, the newest ones. */
const MAX_WAITING = 100;
/** After these attempts an event is given up: readers find the change by themselves in the meantime. */
const MAX_ATTEMPTS = 5;

export interface ChangeEventsPorts {
  eventBusArn: string;
  deployment: MeasuredDeployment;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** How calls to AWS leave the function. @default as usual */
  agents?: Network['aws'] | undefined;
  /** @default a client with short timeouts */
  client?: Pick<EventBridgeClient, 'send'>;
}

interface Waiting {
  type: EventType;
  secretArn: string;
  detail: string;
  atMs: number;
  fields: LogFields;
  attempts: number;
}

/** Sends a deployment's events to EventBridge, each at once and in a request of its own. */
export function changeEvents(ports: ChangeEventsPorts): ChangeEvents {
  return new EventBridgeChangeEvents(ports);
}

class EventBridgeChangeEvents implements ChangeEvents {
  readonly #ports: ChangeEventsPorts;
  readonly #client: Pick<EventBridgeClient, 'send'>;
  readonly #sending = new Set<Promise<void>>();
  #waiting: Waiting[] = [];

  constructor(ports: ChangeEventsPorts) {
    this.#ports = ports;
    this.#client =
      ports.client ??
      new EventBridgeClient({
        maxAttempts: 2,
        requestHandler: {
          connectionTimeout: 500,
          requestTimeout: 500,
          throwOnRequestTimeout: true,
          ...ports.agents,
        },
      });
  }

  tokenRenewed(key: TokenKey, { secretArn, versionId, token }: TokenEntry): void {
    if (token === undefined || versionId === undefined) return;
    const { tenantId, interface: platformInterface, scope } = key;
    const detail: Partial<ChangeDetails['Token Renewed']> = {
      ...this.#detail(tokenKeyOf(key, key), { secretArn, versionId }),
      renewedAt: isoTime(token.issuedAtMs),
      expiresAt: isoTime(token.expiresAtMs),
    };
    this.#start(EVENT_TYPES.tokenRenewed, secretArn, detail, {
      tenantId,
      interface: platformInterface,
      scope,
    });
  }

  credentialChanged(
    type: 'Credential Rotated' | 'Credential Revoked',
    { tenantId, credential, secretArn, versionId }: CredentialChange,
  ): void {
    const now = isoTime(this.#ports.clock.nowMs());
    const detail = {
      ...this.#detail(tenantKeyOf(this.#ports.deployment, tenantId), { secretArn, versionId }),
      credential,
      ...(type === 'Credential Rotated' ? { rotatedAt: now } : { revokedAt: now }),
    };
    this.#start(type, secretArn, detail, { tenantId, credential });
  }

  async settle(): Promise<void> {
    for (const event of this.#waiting.splice(0)) this.#send(event);
    await Promise.all(this.#sending);
  }

  #detail<Key>(key: Key, secret: { secretArn: string; versionId: string }) {
    const { prefix = DEFAULT_PREFIX } = this.#ports.deployment;
    return { schemaVersion: EVENT_SCHEMA_VERSION, prefix, ...key, ...secret } as const;
  }

  #start(type: EventType, secretArn: string, detail: object, fields: LogFields): void {
    const atMs = this.#ports.clock.nowMs();
    this.#send({ type, secretArn, detail: JSON.stringify(detail), atMs, fields, attempts: 0 });
  }

  #send(event: Waiting): void {
    const sending = this.#attempt(event).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Never rejects. */
  async #attempt(event: Waiting): Promise<void> {
    const { log, metrics } = this.#ports;
    try {
      await this.#put(event);
    } catch (error) {
      const { name, message } = error as Error;
      metrics.count('EventFailed');
      log.warn('event not sent', { ...event.fields, code: name, detail: message });
      event.attempts += 1;
      if (event.attempts < MAX_ATTEMPTS) this.#waiting = [...this.#waiting, event].slice(-MAX_WAITING);
    }
  }

  /** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html (an entry can fail by itself) */
  async #put({ type, secretArn, detail, atMs }: Waiting): Promise<void> {
    const entry = {
      EventBusName: this.#ports.eventBusArn,
      Source: EVENT_SOURCE,
      DetailType: type,
      Resources: [secretArn],
      Detail: detail,
      Time: new Date(atMs),
    };
    const abortSignal = AbortSignal.timeout(SENDING_MS);
    // The SDK applies the signal to the requests only, not to its wait between them, which an answer can make longer.
    const sent = this.#client.send(new PutEventsCommand({ Entries: [entry] }), { abortSignal });
    const { FailedEntryCount = 0, Entries: [result] = [] } = await unlessAborted(sent, abortSignal);
    if (FailedEntryCount === 0) return;
    throw Object.assign(new Error(result?.ErrorMessage ?? 'EventBridge refused it'), {
      name: result?.ErrorCode ?? 'InternalFailure',
    });
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
